import type { Api } from '../../../contract/api.ts'
import { saveFile } from './save-file.ts'
import { send } from './call-api.ts'

type FileKey = { [K in keyof Api]: Api[K] extends { kind: 'file' } ? K : never }[keyof Api]

/** Downloads a file with the session token, which a plain link cannot send. */
export async function download(key: FileKey, name: string, query: Record<string, string | undefined>) {
  const response = await send(key, { query })
  saveFile(await response.blob(), name)
}
