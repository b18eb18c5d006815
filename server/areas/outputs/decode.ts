/** Bytes that become text as they come: what is cut in the middle of a character waits for the rest of it. */
export class Decoder {
  private waiting: Buffer = Buffer.alloc(0)

  /** The text of all characters that are whole by now. */
  write(bytes: Buffer): string {
    const all = this.waiting.length > 0 ? Buffer.concat([this.waiting, bytes]) : bytes
    const whole = all.length - unfinished(all)
    // A copy: the rest of the buffer need not be kept for these few bytes.
    this.waiting = Buffer.from(all.subarray(whole))
    return textOf(all.subarray(0, whole))
  }

  /** How many bytes were taken that are in no text yet. */
  get held(): number {
    return this.waiting.length
  }

  /** What is left when nothing more comes. */
  end(): string {
    const rest = textOf(this.waiting)
    this.waiting = Buffer.alloc(0)
    return rest
  }
}

/** What is no text is shown as such; PostgreSQL holds everything but NUL. */
const textOf = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '\u{fffd}')

/** The length of a character at the end that more bytes would complete. */
function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    return back < lengthOf(byte) && isBegun(bytes.subarray(bytes.length - back)) ? back : 0
  }
  return 0
}

/** By its first byte; 0 where none begins so. */
function lengthOf(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2
  if (first >= 0xe0 && first <= 0xef) return 3
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0
}

/** Some second bytes can follow no such first one: too long a form, half a surrogate, beyond Unicode. */
function isBegun(bytes: Buffer): boolean {
  const [first = 0, second] = bytes
  if (second === undefined) return true
  if (first === 0xe0) return second >= 0xa0
  if (first === 0xed) return second < 0xa0
  if (first === 0xf0) return second >= 0x90
  return first !== 0xf4 || second < 0x90
}
