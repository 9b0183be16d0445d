"""Random corpora with everything that tokenizers trip over."""
import unicodedata

SPACES = [chr(c) for c in (*range(0x09, 0x0E), *range(0x1C, 0x21), 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029,
                           0x202F, 0x205F, 0x3000)]
NO_SPACES = ["\u200b", "\ufeff", "\u180e", "\u2060", "\u200d", "\u00ad"]
WORDS = "the a of to and in is it was for on that he she they we word it's don't Nima's U.S. e-mail state-of-the-art".split()
PIECES = ["<skipped>", "-\n", "\n-", "\n", "&quot;", "&amp;", "&lt;", "&gt;", "&amp;lt;", "&apos;", "&#39;", "'s", "'s ", "...", "--", "3.14", "1,000",
          "1990-2000", "٣.٤", "½", "²", "Ⅳ", "ß", "İ", "Σ", "ΟΔΟΣ", "ẞ", "ﬁ", "Ǆ", "straße", "cafe\u0301", "café", "\0", "€", "£5", "°C", "“quote”",
          "«x»", "¿qué?", "你好", "世界。", "漢字、", "かな", "カタカナ", "・", "한국어", "𠀀", "𝄞", "👍🏽", "👩\u200d👩\u200d👧", "שלום", "مرحبا،", "नमस्ते।", "（ok）",
          "Ｆｕｌｌ", "[x]", "{y}", "~", "^", "`", "\\", "@", "#", "%", "*", "+", "=", "|", "/", ";", ":", "!", "?", "(", ")", ".", ",", "-", "'", "\"", "_"]


def is_stable(character):
    """Whether Python's own tables (Unicode 14) know the character, so that all versions agree on it."""
    return unicodedata.category(character) not in ("Cn", "Cs", "Co")


def random_character(random):
    while True:
        high = random.choice((0x7F, 0x24F, 0x2FFF, 0xFFFF, 0x1FFFF))
        character = chr(random.randint(0, high))
        if is_stable(character):
            return character


def random_token(random):
    kind = random.random()
    if kind < 0.6:
        return random.choice(WORDS)
    if kind < 0.85:
        return random.choice(PIECES)
    if kind < 0.95:
        return random.choice(WORDS) + random.choice(PIECES)
    return "".join(random_character(random) for _ in range(random.randint(1, 4)))


def random_line(random, longest):
    if random.random() < 0.05:
        return random.choice(["", " ", "\n", "\u3000", "."])
    parts = []
    for _ in range(random.randint(1, longest)):
        parts.append(random_token(random))
        kind = random.random()
        parts.append(" " if kind < 0.8 else "" if kind < 0.9 else random.choice(SPACES) if kind < 0.97 else random.choice(NO_SPACES))
    return "".join(parts)


def vary(random, line):
    """A line that shares much with the given one."""
    tokens = line.split(" ")
    for _ in range(random.randint(0, 1 + len(tokens) // 3)):
        at = random.randrange(len(tokens) + 1)
        kind = random.random()
        if kind < 0.3:
            tokens.insert(at, random_token(random))
        elif kind < 0.5 and len(tokens) > 1:
            tokens.pop(min(at, len(tokens) - 1))
        elif kind < 0.7:
            tokens[min(at, len(tokens) - 1)] = random_token(random)
        else:
            start = random.randrange(len(tokens))
            block = tokens[start:start + random.randint(1, 4)]
            del tokens[start:start + len(block)]
            at = random.randrange(len(tokens) + 1)
            tokens[at:at] = block
    return " ".join(tokens)


def random_corpus(random, lines, streams, longest=14, missing=0.0):
    """(hypotheses, streams of references); a line keeps at least one reference."""
    references = [[random_line(random, longest) for _ in range(lines)]]
    for _ in range(streams - 1):
        references.append([vary(random, line) for line in references[0]])
    hypotheses = [vary(random, random.choice(references)[i]) if random.random() < 0.9 else random_line(random, longest)
                  for i in range(lines)]
    for i in range(lines):
        keep = random.randrange(streams)
        for k in range(streams):
            if k != keep and random.random() < missing:
                references[k][i] = None
    return hypotheses, references
