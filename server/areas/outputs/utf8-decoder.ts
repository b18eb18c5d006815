export class Utf8Decoder {
  private waiting: Buffer = Buffer.alloc(0)

  write(bytes: Buffer): string {
    const all = this.waiting.length > 0 ? Buffer.concat([this.waiting, bytes]) : bytes
    const whole = all.length - unfinished(all)
    // The bytes are copied, so that the whole buffer is not retained.
    this.waiting = Buffer.from(all.subarray(whole))
    return toText(all.subarray(0, whole))
  }

  get held(): number {
    return this.waiting.length
  }

  end(): string {
    const rest = toText(this.waiting)
    this.waiting = Buffer.alloc(0)
    return rest
  }
}

/** Replaces NUL, which PostgreSQL cannot store. */
const toText = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '\u{fffd}')

function unfinished(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4) ? back : 0
  }
  return 0
}
