import { newKeyPair } from '../../../server/remote/ssh/key-pair.ts'
import type { TestHost } from '../factories/factories.ts'
import type { RigServer } from '../rig/server.ts'
import { takeServer } from '../rig/take.ts'

export const takeHost = async (...later: Parameters<typeof takeServer>): Promise<RigServer & TestHost> =>
  letIn(await takeServer(...later))

export async function letIn(server: RigServer): Promise<RigServer & TestHost> {
  const keys = newKeyPair('slipway-test')
  await server.authorize(keys.publicKey)
  return { ...server, keys }
}
