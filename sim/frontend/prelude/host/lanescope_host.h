// The host API, under the name that kernel texts without a host of their own see it by.
#pragma once

#include "lanescope_runtime.h"
