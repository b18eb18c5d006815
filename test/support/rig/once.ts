import { access, mkdir, rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

const exists = (file: string) =>
  access(file).then(
    () => true,
    () => false,
  )

/** Creates a file once per run; other workers wait. */
export async function madeOnce(file: string, make: (file: string) => Promise<void>): Promise<string> {
  const lock = `${file}.lock`
  for (;;) {
    if (await exists(file)) return file
    const isOurs = await mkdir(lock).then(
      () => true,
      () => false,
    )
    if (isOurs) break
    await sleep(100)
  }
  try {
    await make(file)
    return file
  } finally {
    await rm(lock, { recursive: true })
  }
}
