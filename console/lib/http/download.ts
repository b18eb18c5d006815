import type { Api } from '../../../contract/api.ts'
import { saveFile } from './save-file.ts'
import { send } from './call-api.ts'

type FileKey = { [K in keyof Api]: Api[K] extends { kind: 'file' } ? K : never }[keyof Api]

/** Downloads a file. A plain link could not send the session token. */
export async function download(key: FileKey, name: string, query: Record<string, string | undefined>) {
  const response = await send(key, { query })
  saveFile(await response.blob(), name)
}
