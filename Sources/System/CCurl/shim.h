#include <arpa/inet.h>
#include <curl/curl.h>
#include <stdint.h>
#include <string.h>

// curl_easy_setopt and curl_easy_getinfo take values of any type, which Swift cannot call: here is
// one function for each type. The parentheses leave out curl's macros, which want constants.

static inline CURLcode viavai_set_number(CURL *handle, CURLoption option, long value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode viavai_set_size(CURL *handle, CURLoption option, int64_t value) {
    return (curl_easy_setopt)(handle, option, (curl_off_t)value);
}

// curl keeps a copy of the text, but not of what CURLOPT_POSTFIELDS points to.
static inline CURLcode viavai_set_text(CURL *handle, CURLoption option, const char *value) {
    return (curl_easy_setopt)(handle, option, value);
}

static inline CURLcode viavai_set_list(CURL *handle, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(handle, option, value);
}

typedef size_t (*viavai_transfer_function)(char *bytes, size_t size, size_t count, void *context);

// For CURLOPT_READFUNCTION, CURLOPT_WRITEFUNCTION and CURLOPT_HEADERFUNCTION, each with the option
// that says what context it is called with.
static inline CURLcode viavai_set_function(CURL *handle, CURLoption option,
                                           viavai_transfer_function function,
                                           CURLoption context_option, void *context) {
    CURLcode code = (curl_easy_setopt)(handle, option, function);
    return code == CURLE_OK ? (curl_easy_setopt)(handle, context_option, context) : code;
}

// Is told all that goes over the connection.
static inline CURLcode viavai_set_witness(CURL *handle, curl_debug_callback function,
                                          void *context) {
    (curl_easy_setopt)(handle, CURLOPT_VERBOSE, 1L);
    (curl_easy_setopt)(handle, CURLOPT_DEBUGDATA, context);
    return (curl_easy_setopt)(handle, CURLOPT_DEBUGFUNCTION, function);
}

// Makes every socket, and so sees each address before anything is sent to it.
static inline CURLcode viavai_set_opener(CURL *handle, curl_opensocket_callback function,
                                         void *context) {
    (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETDATA, context);
    return (curl_easy_setopt)(handle, CURLOPT_OPENSOCKETFUNCTION, function);
}

static inline CURLcode viavai_get_number(CURL *handle, CURLINFO info, long *value) {
    return (curl_easy_getinfo)(handle, info, value);
}

// Copies the bytes of an address, in network order; gives their number, 0 for other families.
static inline size_t viavai_address_bytes(const struct curl_sockaddr *address, uint8_t *bytes) {
    if (address->family == AF_INET) {
        memcpy(bytes, &((const struct sockaddr_in *)&address->addr)->sin_addr, 4);
        return 4;
    }
    if (address->family == AF_INET6) {
        memcpy(bytes, &((const struct sockaddr_in6 *)&address->addr)->sin6_addr, 16);
        return 16;
    }
    return 0;
}
