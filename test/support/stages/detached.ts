import { type DetachedResult, runDetached, type DetachedProcess } from '../../../server/remote/detached.ts'
import type { Host } from '../../../server/remote/host.ts'

export interface Followed extends DetachedResult {
  stdout: Buffer
  stderr: Buffer
}

/** Output read so far, across attempts. */
export class Reader {
  readonly stdout: Buffer[] = []
  readonly stderr: Buffer[] = []
  readonly at = { stdout: 0, stderr: 0 }

  get text(): string {
    return Buffer.concat(this.stdout).toString()
  }

  /** Each chunk must start where the last one ended. */
  async follow(host: Host, work: DetachedProcess, signal = new AbortController().signal): Promise<Followed> {
    const pieces = runDetached(host, work, this.at, signal)
    for (;;) {
      const step = await pieces.next()
      if (step.done)
        return { ...step.value, stdout: Buffer.concat(this.stdout), stderr: Buffer.concat(this.stderr) }
      const { stream, data, offset } = step.value
      this[stream].push(data)
      this.at[stream] += data.length
      if (offset !== this.at[stream])
        throw new Error(`A piece ends at ${offset} instead of ${this.at[stream]}.`)
    }
  }
}
