import type { AddressInfo } from 'node:net'
import ssh2 from 'ssh2'
import { newKeyPair } from '../../../server/remote/ssh/key-pair.ts'

/** Shows a host key of its own at an address of this machine, such as 127.0.0.7, and lets nobody in. */
export async function startPretendSshd(address: string) {
  const { privateKey, publicKey } = newKeyPair('root@pretend')
  const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
    client.on('authentication', (asked) => asked.reject(['publickey']))
    client.on('error', () => {})
  })
  await new Promise<void>((resolve) => void server.listen(0, address, resolve))
  // The server listens on a port, not on a socket with a name.
  const { port } = server.address() as AddressInfo
  return { address, port, hostKey: publicKey, close: () => void server.close() }
}
