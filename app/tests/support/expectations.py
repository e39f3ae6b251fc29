"""What an expectation file says and a report does not."""


def differences(expected, actual, path):
    """Yields what is in `expected` but not so in `actual`, key by key."""
    if isinstance(expected, dict):
        for key, value in expected.items():
            yield from differences(value, (actual or {}).get(key), f"{path}.{key}")
    elif expected != actual:
        yield f"{path}: expected {expected}, got {actual}"
