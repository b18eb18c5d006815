/** Decodes UTF-8 streams; an incomplete character waits for its remaining bytes. */
export class Decoder {
  private waiting: Buffer = Buffer.alloc(0)

  write(bytes: Buffer): string {
    const all = this.waiting.length > 0 ? Buffer.concat([this.waiting, bytes]) : bytes
    const whole = all.length - unfinished(all)
    // Copied, so that the whole buffer is not retained.
    this.waiting = Buffer.from(all.subarray(whole))
    return textOf(all.subarray(0, whole))
  }

  get held(): number {
    return this.waiting.length
  }

  end(): string {
    const rest = textOf(this.waiting)
    this.waiting = Buffer.alloc(0)
    return rest
  }
}

/** Replaces NUL, which PostgreSQL cannot store. */
const textOf = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '\u{fffd}')

function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte < 0xc0) continue
    return back < lengthOf(byte) && isBegun(bytes.subarray(bytes.length - back)) ? back : 0
  }
  return 0
}

function lengthOf(first: number): number {
  if (first >= 0xc2 && first <= 0xdf) return 2
  if (first >= 0xe0 && first <= 0xef) return 3
  return first >= 0xf0 && first <= 0xf4 ? 4 : 0
}

/** Rejects overlong forms, surrogates and code points beyond Unicode. */
function isBegun(bytes: Buffer): boolean {
  const [first = 0, second] = bytes
  if (second === undefined) return true
  if (first === 0xe0) return second >= 0xa0
  if (first === 0xed) return second < 0xa0
  if (first === 0xf0) return second >= 0x90
  return first !== 0xf4 || second < 0x90
}
