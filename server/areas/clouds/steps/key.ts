import { type Creation, CreationFailed, note } from '../creation.ts'
import { insist } from '../insist.ts'

/** The cloud gets to know the key that Slipway logs in with, for as long as the server is made. */
export async function keepKey(creation: Creation): Promise<void> {
  const { id, public_key: publicKey } = creation.server
  if (publicKey === null)
    throw new CreationFailed('The server has no SSH key. Delete it, and create another.')
  const cloud_key_id = await insist(creation, (provider, account) =>
    provider.keepKey(account, { name: `slipway-${id}`, publicKey }),
  )
  await note(creation, { cloud: { cloud_key_id, step: 'create' } })
}
