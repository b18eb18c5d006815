/**
 * What no compose file may have: what is not printable, and what ends a line for Docker Compose and not for us, or the
 * other way round, so that one of us would read what the other takes for a comment. No schema here.
 */
export const disallowedCharacter =
  /(?!^\ufeff)(?:\r(?!\n)|[\u2028\u2029]|[^\t\n\r\x20-\x7e\xa0-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}])/u
