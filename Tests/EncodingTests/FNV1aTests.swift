import Encoding
import Testing

/// The test vectors of the authors: http://www.isthe.com/chongo/src/fnv/test_fnv.c.
@Suite("FNV-1a")
struct FNV1aTests {
    @Test(
        "the authors' vectors come out",
        arguments: [
            ("", 0xCBF2_9CE4_8422_2325), ("a", 0xAF63_DC4C_8601_EC8C),
            ("foobar", 0x8594_4171_F739_67E8),
        ] as [(String, UInt64)]
    )
    func vectors(text: String, hash: UInt64) {
        #expect(FNV1a(text.utf8).value == hash)
    }

    @Test("bytes may come in parts; a word is hashed as one byte")
    func parts() {
        var hash = FNV1a()
        hash.add("foo".utf8)
        hash.add("bar".utf8)
        #expect(hash.value == 0x8594_4171_F739_67E8)
        var word = FNV1a()
        word.add(word: 0x61)
        #expect(word.value == FNV1a("a".utf8).value)
        word.add(word: .max)
        #expect(word.value != FNV1a([0x61, 0xFF]).value)
    }
}
