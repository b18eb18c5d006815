import { type Creation, CreationFailed, note } from '../creation.ts'
import { insist } from '../insist.ts'

/** Uploads the SSH key to the provider for the duration of the creation. */
export async function keepKey(creation: Creation): Promise<void> {
  const { id, public_key: publicKey } = creation.server
  if (publicKey === null)
    throw new CreationFailed('The server has no SSH key. Delete it, and create another.')
  const cloud_key_id = await insist(creation, (provider, account) =>
    provider.keepKey(account, { name: `slipway-${id}`, publicKey }),
  )
  await note(creation, { cloud: { cloud_key_id, step: 'create' } })
}
