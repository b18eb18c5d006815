/** Bytes that are kept of the beginning, and as many of the end. */
const kept = 1_048_576

export interface LogRow {
  seq: number
  bytes: number
  lines: number
}

/** Tells which rows of a log that grows lie between its beginning and its end, and are too many. */
export class LogEnds {
  private head = 0
  private tail: LogRow[] = []
  private tailBytes = 0
  last = 0

  constructor(rows: LogRow[] = []) {
    // What is between them has gone before.
    for (const row of rows) this.add(row)
  }

  /** The rows that go, now that this one is there. */
  add(row: LogRow): LogRow[] {
    this.last = row.seq
    if (this.head < kept) {
      this.head += row.bytes
      return []
    }
    this.tail.push(row)
    this.tailBytes += row.bytes
    const going: LogRow[] = []
    for (let first = this.tail[0]; first && this.tailBytes - first.bytes >= kept; first = this.tail[0]) {
      going.push(first)
      this.tailBytes -= first.bytes
      this.tail.shift()
    }
    return going
  }
}
