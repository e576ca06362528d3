#include "rhumb/sim/mjcf.h"
#include "tests/fuzz/fuzz.h"

using namespace rhumb;

RHUMB_FUZZ_TARGET(mjcf) {
  fuzz::Accepts([&] {
    const sim::CheckedMjcf checked = sim::CheckMjcf(fuzz::TextOf(data, size), "main.xml");
    // MuJoCo reads the text that was written, so checking that finds the same.
    const sim::CheckedMjcf again = sim::CheckMjcf(checked.text, "written.xml");
    RHUMB_CHECK(again.text == checked.text, "the written text is read as another");
    RHUMB_CHECK(again.models == checked.models && again.documents == checked.documents &&
                    again.numbers == checked.numbers && again.elements == checked.elements,
                "the written text asks for something else");
  });
}
