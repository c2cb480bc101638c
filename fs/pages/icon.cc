#include "fs/pages/shared_files.h"

namespace scidfs::fs {

const std::string_view kIcon =
    R"svg(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 45 45">
<rect width="45" height="45" rx="6" fill="#8fa37e"/>
<path fill="#fff" stroke="#222" stroke-width="1.4" stroke-linejoin="round" d="M20 7l3.5 4c7.5 1 11.5 8
11.5 27H14c0-8 7-9.5 7.5-15.5-3 2.5-6 2-8.5 5.5l-4-1.5-1-4.5 4.5-8c1-3 4-4.5 6.5-4.5z"/>
</svg>
)svg";

}  // namespace scidfs::fs
