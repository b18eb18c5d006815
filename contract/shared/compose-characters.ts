/**
 * Refuses unprintable characters, and those that only Docker Compose or only our parser treats as line breaks, because
 * one could read what the other skips as a comment. Without zod, so that the console can import it.
 */
export const disallowedCharacter =
  /(?!^\ufeff)(?:\r(?!\n)|[\u2028\u2029]|[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}])/u
