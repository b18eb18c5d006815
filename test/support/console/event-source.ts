/** Server-sent events over fetch, because Node 20 has no EventSource. Does not reconnect by itself. */
export class EventSourceOverFetch extends EventTarget {
  private readonly leaving = new AbortController()

  constructor(url: string) {
    super()
    void this.read(url)
  }

  close(): void {
    this.leaving.abort()
  }

  private async read(url: string): Promise<void> {
    try {
      const answer = await fetch(url, { signal: this.leaving.signal })
      if (!answer.ok || !answer.body) throw new Error(`The stream was refused with ${answer.status}.`)
      this.tell('open')
      let rest = ''
      for await (const text of answer.body.pipeThrough(new TextDecoderStream())) {
        const blocks = (rest + text).split('\n\n')
        rest = blocks.pop() ?? ''
        for (const block of blocks) this.receive(block)
      }
    } catch {
      // Only a closed stream is silent; others report an error.
    }
    this.tell('error')
  }

  private receive(block: string): void {
    const fields = block.split('\n').map((line) => line.split(/: ?(.*)/s, 2))
    const read = (name: string) => fields.filter(([field]) => field === name).map(([, value = '']) => value)
    const data = read('data')
    if (data.length === 0) return
    this.tell(read('event')[0] ?? 'message', { data: data.join('\n'), lastEventId: read('id')[0] ?? '' })
  }

  private tell(type: string, fields: object = {}): void {
    if (!this.leaving.signal.aborted) this.dispatchEvent(Object.assign(new NodeEvent(type), fields))
  }
}

/** Node's EventTarget needs Node's Event, which jsdom's replaces later. */
const NodeEvent = Event
