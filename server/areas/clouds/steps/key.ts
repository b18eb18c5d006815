import { type Creation, CreationFailed, saveCreationProgress } from '../creation.ts'
import { callProvider } from '../call-provider.ts'

/** Uploads the SSH key to the provider for the duration of the creation. */
export async function uploadKey(creation: Creation): Promise<void> {
  const { id, public_key: publicKey } = creation.server
  if (publicKey === null)
    throw new CreationFailed('The server has no SSH key. Delete it, and create another.')
  const cloud_key_id = await callProvider(creation, (provider, account) =>
    provider.keepKey(account, { name: `slipway-${id}`, publicKey }),
  )
  await saveCreationProgress(creation, { cloud: { cloud_key_id, step: 'create' } })
}
