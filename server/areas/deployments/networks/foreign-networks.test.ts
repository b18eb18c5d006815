import { expect, test } from 'vitest'
import { pinSharedContainers, networkRefusal } from './foreign-networks.ts'

test.each(['0123456789ab', 'f'.repeat(64)])('refuses a network called %s like the id of another', (name) => {
  const network = { key: 'it', name, network: { name }, there: undefined }
  expect(networkRefusal({ id: 'app_1' }, network)).toMatch('which looks like a Docker network ID')
})

test('shares a container by its checked ID', async () => {
  const docker = (application: string) => ({
    json: async <T>(): Promise<T> =>
      JSON.parse(
        JSON.stringify({
          Id: 'id-1',
          Name: '/side',
          Config: { Labels: { 'slipway.application': application } },
        }),
      ),
  })
  const service = { network_mode: 'container:side', pid: 'host' }
  const pin = (owner: string) => pinSharedContainers({ id: 'app_1' }, docker(owner), 'web', service)
  expect(await pin('app_1')).toEqual({ network_mode: 'container:id-1', pid: 'host' })
  await expect(pin('app_2')).rejects.toThrow(
    'web uses network_mode: container:side, but this container belongs to another application.',
  )
})
