import { describe, expect, test, vi } from 'vitest'
import { processesWith } from '../../../test/support/stages/commands.ts'
import { sharedContainer } from '../../../test/support/stages/containers.ts'
import { failureOf, openHosts, targetOf } from '../../../test/support/stages/reach.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { DockerError, ConnectionLost } from '../errors.ts'
import type { HostTarget } from '../host.ts'
import { killMarkedProcesses } from './container-command.ts'
import { execContainerShell } from './container-shell.ts'

const server = await takeHost()
const hosts = openHosts()
const size = { cols: 80, rows: 24 }
const patient = { interval: 50 }
const ways: { way: string; target: () => HostTarget }[] = [
  { way: 'over SSH', target: () => targetOf(server) },
  {
    way: 'on this machine',
    target: () => ({ kind: 'local', id: 'here', dockerSocket: server.dockerSocket() }),
  },
]

describe.each(ways)('a shell in a container $way', ({ target }) => {
  const open = async (mark: string) => {
    const host = hosts.get(target())
    const shell = await execContainerShell(host, await sharedContainer(server), mark, size)
    let said = ''
    shell.output.on('data', (piece: Buffer) => (said += piece.toString()))
    const says = (words: string) => vi.waitFor(() => expect(said).toContain(words), patient)
    return { host, shell, says }
  }

  test('passes input and output and returns the exit code', async () => {
    const { shell, says } = await open('one')
    shell.write('echo $((6 * 7)); stty size\r')
    await says('42\r\n24 80')
    shell.write('exit 5\r')
    expect(await shell.ended).toEqual({ code: 5, signal: null })
  })

  test('continues when released, and is ended by its marker', async () => {
    const { host, shell } = await open('two')
    shell.write('sleep 87654\r')
    await vi.waitFor(async () => expect(await processesWith(server, 'sleep 87654')).toBe(1), patient)
    shell.close()
    await killMarkedProcesses(host.docker, await sharedContainer(server), 'another')
    expect(await processesWith(server, 'sleep 87654')).toBe(1)
    await killMarkedProcesses(host.docker, await sharedContainer(server), 'two')
    expect(await processesWith(server, 'sleep 87654')).toBe(0)
    expect(await shell.ended).toMatchObject({ code: expect.any(Number) })
  })

  test('fails without a container', async () => {
    const host = hosts.get(target())
    const error = await failureOf(execContainerShell(host, 'none', 'three', size))
    expect(error).toBeInstanceOf(DockerError)
    expect(error).toMatchObject({ status: 404, message: 'No such container: none' })
  })

  test('is lost when the connection is closed', async () => {
    const { shell, says } = await open('four')
    shell.write('echo ready-$((1 + 1))\r')
    await says('ready-2')
    hosts.disconnect(target().id)
    expect(await failureOf(shell.ended)).toBeInstanceOf(ConnectionLost)
    await killMarkedProcesses(hosts.get(target()).docker, await sharedContainer(server), 'four')
  })
})
