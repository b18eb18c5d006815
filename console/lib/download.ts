import type { Api } from '../../contract/api.ts'
import { send } from './send.ts'

type FileKey = { [K in keyof Api]: Api[K] extends { kind: 'file' } ? K : never }[keyof Api]

/** Fetches a file with the session's token, which a plain link could not send, and saves it. */
export async function download(key: FileKey, name: string) {
  const response = await send(key, {})
  const url = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
