#include <stddef.h>

// A file of texts that the program carries.
struct viavai_text_file {
    const char *_Nonnull path;
    const unsigned char *_Nonnull bytes;
    size_t size;
};

// The file with a number, from 0; null after the last.
//
// Only declared here: each program links the files (Texts), so that no module is compiled again
// when a sentence changes.
const struct viavai_text_file *_Nullable viavai_text_file(size_t number);
