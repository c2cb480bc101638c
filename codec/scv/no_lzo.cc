// The replacement of unpack_lzo.cc where the library is missing.
#include "codec/scv/output.h"

namespace scidfs::codec::scv {

bool has_lzo() { return false; }

Fault unpack_lzo(const Member&, ReadAt, Output&) { return Fault::UnknownMethod; }

}  // namespace scidfs::codec::scv
