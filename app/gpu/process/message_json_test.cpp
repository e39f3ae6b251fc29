#include "gpu/process/message_json.h"

#include <gtest/gtest.h>

#include "core/text/messages.h"

namespace lanescope::gpu {
namespace {

namespace say = app::say;
using Json = nlohmann::ordered_json;

TEST(MessageJson, IdentitiesSurvive) {
  const Message said = say::on_the_gpu(say::running_kernel, "CUDA_ERROR: gone \"away\"");
  const Json json = Json::parse(to_json(said).dump());
  EXPECT_EQ(message_from_json(json), said);
  EXPECT_EQ(json["id"], "on_the_gpu");
  EXPECT_EQ(to_json(Message::verbatim("as it is")), Json("as it is"));
  EXPECT_EQ(message_from_json(Json("as it is")), Message::verbatim("as it is"));
}

TEST(MessageJson, OtherFormsSayNothing) {
  for (const Json& other : {Json(), Json(3), Json::object(), Json::array({1}),
                            Json{{"id", 3}, {"english", Json::array()}}})
    EXPECT_TRUE(message_from_json(other).empty()) << other;
}

TEST(MessageJson, MeasurementsBringTheirMessages) {
  app::Measurement m;
  m.kernel = "transpose/01_naive";
  m.check.checked = true;
  m.check.message = say::wrong_on_gpu("out[3]", "nan", 3);
  Diagnostic d;
  d.kind = DiagnosticKind::wrong_result;
  d.message = m.check.message;
  d.hint = say::analyze_names_access;
  m.diagnostics = {d};
  const auto read = received(Json::parse(sent(m).dump()));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->check.message, m.check.message);
  ASSERT_EQ(read->diagnostics.size(), 1u);
  EXPECT_EQ(read->diagnostics[0].message, d.message);
  EXPECT_EQ(read->diagnostics[0].hint, d.hint);

  const auto texts = received(Json::parse(app::to_json(m).dump()));
  ASSERT_TRUE(texts) << "a recording";
  EXPECT_EQ(texts->diagnostics[0].message, Message::verbatim(d.message.english()));
  EXPECT_FALSE(received(Json::array()));
}

}  // namespace
}  // namespace lanescope::gpu
