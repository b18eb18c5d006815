import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as contract from '../../../contract/imports.ts'
import { getSetup } from '../../../contract/setups.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { makeSetting, start, takeProvidedHost, untilOver } from '../../../test/support/stages/setups.ts'
import { seenMeanwhile } from '../../../test/support/programs/watch-arguments.ts'
import { freePort } from '../../../test/support/programs/slipway-process.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeProvidedHost()
let slipway: TestSlipway
beforeAll(async () => {
  const port = Number(await freePort())
  slipway = await startSlipway({
    OUTBOUND_NETWORKS: '127.0.0.0/8',
    PROXY_IMAGE: host.image.name,
    PUBLIC_URL: `http://${host.machine}:${port}`,
  })
  await slipway.listen({ host: host.machine, port })
  slipway.work()
})
afterAll(() => slipway.close())

/** Deletes the servers of earlier tests, because all tests import the same machine. */
async function makeLine(body: { name?: string } = {}) {
  await slipway.db.deleteFrom('servers').where('address', '=', host.address).execute()
  const team = await makeTeam(slipway.db)
  const made = await slipway.ok(contract.createImportToken, { token: team.admin.token, body })
  return { ...team, ...made }
}

const serversOf = (workspace: Awaited<ReturnType<typeof makeLine>>['workspace']) =>
  slipway.db.selectFrom('servers').selectAll().where('workspace_id', '=', workspace).execute()

/** Runs the command in a shell of the server. */
const paste = (command: string, ...before: string[]) => host.exec(...first([...before, 'sh', '-c', command]))
const first = ([program = '', ...args]: string[]): [string, ...string[]] => [program, ...args]

const byWget = (command: string) =>
  command.replace('url = "%s"', '%s').replace('curl -sSL -K -', 'wget -qO- -i -')

/** Returns the error message. */
const refusal = async (pasted: Promise<string>) => {
  const error: unknown = await pasted.then(
    (said) => new Error(`It was not refused: ${said}`),
    (reason: unknown) => reason,
  )
  // The error starts with the command, which may include the script.
  return (
    [...String(error).matchAll(/^This server was not added to Slipway\. (.*)/gm)].at(-1)?.[1] ?? String(error)
  )
}

test('adds and sets up a server with the pasted command', async () => {
  const { command, admin, workspace } = await makeLine()
  const said = await paste(command)
  const [server, ...others] = await serversOf(workspace)
  if (!server) throw new Error(`It was not added: ${said}`)
  expect(others).toEqual([])
  expect(said).toContain(`${slipway.ctx.config.PUBLIC_URL}/dashboard/servers/${server.id}\n`)
  expect(said).toMatch(/The word "set-up" in the command starts the setup.*\n\n  package Docker: Installed/)
  expect(said).toMatch(/^  port 80 and 443: /m)
  expect(server).toMatchObject({
    name: (await host.exec('uname', '-n')).trim(),
    kind: 'ssh',
    address: host.address,
    port: 22,
    username: 'root',
    host_keys: [host.hostKey],
    os: expect.stringContaining('Debian'),
  })
  const { setup, server: ready } = await untilOver({ slipway, workspace, admin, server: server.id })
  expect(setup).toMatchObject({ status: 'completed', error: null, actor: { name: admin.name } })
  expect(ready).toMatchObject({ status: 'ready', reason: null })
  const events = await slipway.db
    .selectFrom('events')
    .select(['type', 'actor_name', 'address'])
    .where('workspace_id', '=', workspace)
    .orderBy('id')
    .execute()
  expect(events.slice(0, 2)).toEqual([
    { type: 'server.imported', actor_name: admin.name, address: host.address },
    { type: 'server.setup_started', actor_name: admin.name, address: host.address },
  ])
})

test('without the word set-up only adds the server, whose setup waits for a user', async () => {
  const { command, workspace, admin } = await makeLine()
  const said = await paste(command.replace(/ -s set-up$/, ''))
  expect(said).toContain('Nothing else changes until you start the setup in Slipway.')
  const [server] = await serversOf(workspace)
  if (!server) throw new Error(`It was not added: ${said}`)
  const reason = 'The server is connected. Review what setup changes, then start it.'
  expect(server).toMatchObject({ status: 'pending', reason, host_keys: [host.hostKey] })
  const params = { id: server.id }
  expect(await slipway.ok(getSetup, { token: admin.token, params })).toEqual({ setup: null })
})

test('adds the key once, in a file that sshd accepts', async () => {
  const { command, token, workspace } = await makeLine()
  const script = await slipway.call(`GET /v1/import/server/${token}`)
  const key = /^slipway_key='(.*)'$/m.exec(script.text)?.[1] ?? ''
  await paste(command)
  // A second run of the script finds the key and a used token.
  expect(await refusal(paste(script.text))).toMatch(
    /^Slipway says: This import command cannot be used: it was already used/,
  )
  const file = await host.exec('cat', '/root/.ssh/authorized_keys')
  expect(file.split('\n').filter((line) => line === key)).toHaveLength(1)
  expect(await host.exec('stat', '-c', '%a %U', '/root/.ssh', '/root/.ssh/authorized_keys')).toBe(
    '700 root\n600 root\n',
  )
  expect(await serversOf(workspace)).toHaveLength(1)
})

test('works once, and reports that on the second use', async () => {
  const { command, workspace } = await makeLine()
  await paste(command)
  const said = await paste(command).catch(String)
  // Only the sentence is shown.
  expect(said).toMatch(
    /\nThis import command cannot be used: it was already used, .*\. Create a new one in the console\.\n$/,
  )
  expect(await serversOf(workspace)).toHaveLength(1)
})

test('uses the given name, whatever it contains', async () => {
  const name = `"; touch /owned; $(touch /owned) \`touch /owned\` '`
  const { command, workspace } = await makeLine({ name })
  await paste(command)
  expect(await serversOf(workspace)).toMatchObject([{ name: name.trim() }])
  await expect(host.exec('ls', '/owned')).rejects.toThrow(/No such file/)
})

longTest('falls back to wget without curl', async () => {
  await host.exec('mv', '/usr/bin/curl', '/usr/bin/curl.away')
  onTestFinished(async () => void (await host.exec('mv', '/usr/bin/curl.away', '/usr/bin/curl')))
  const { command, workspace } = await makeLine()
  await paste(byWget(command))
  expect(await serversOf(workspace)).toMatchObject([{ address: host.address }])
})

test.each(['curl', 'wget'])('hides the token from other users with %s', async (by) => {
  if (by === 'wget') {
    await host.exec('mv', '/usr/bin/curl', '/usr/bin/curl.away')
    onTestFinished(async () => void (await host.exec('mv', '/usr/bin/curl.away', '/usr/bin/curl')))
  }
  const { command, token, workspace } = await makeLine()
  const line = by === 'wget' ? byWget(command) : command
  // The script is passed through stdin, because an argument would be visible.
  await host.exec('sh', '-c', 'umask 077; printf "%s" "$1" > /root/line', 'sh', line)
  const seen = await seenMeanwhile(host, [by, token], () => host.exec('sh', '/root/line'))
  expect(await serversOf(workspace)).toHaveLength(1)
  expect(seen).toEqual([by])
})

describe('when the report is refused', () => {
  const [keys, others] = ['/root/.ssh/authorized_keys', 'ssh-ed25519 AAAAsomebody somebody']
  const write = (file: string, text: string) =>
    host.exec('sh', '-c', 'printf %s "$2" > "$1"', 'sh', file, text)

  /** Gives the server only a host key of an unsupported type. */
  async function makeRefusedLine() {
    await host.exec('mv', '/etc/ssh/ssh_host_ed25519_key.pub', '/root/host.pub')
    await write('/etc/ssh/ssh_host_dsa_key.pub', 'ssh-dss AAAAB3NzaC1kc3M= root@web\n')
    onTestFinished(async () => {
      await host.exec('rm', '/etc/ssh/ssh_host_dsa_key.pub')
      await host.exec('mv', '/root/host.pub', '/etc/ssh/ssh_host_ed25519_key.pub')
    })
    return makeLine()
  }
  const reason = 'Slipway says: host_keys: Must contain an Ed25519, ECDSA or RSA host key.'

  /** Replaces wget with another program and hides curl. */
  async function onlyWget(program: string) {
    await host.exec('mv', '/usr/bin/curl', '/usr/bin/curl.away')
    await host.exec('mv', '/usr/bin/wget', '/usr/bin/wget.away')
    await host.exec('ln', '-s', program, '/usr/bin/wget')
    onTestFinished(async () => {
      await host.exec('mv', '/usr/bin/curl.away', '/usr/bin/curl')
      await host.exec('mv', '/usr/bin/wget.away', '/usr/bin/wget')
    })
  }

  test('shows the messages and removes the key again', async () => {
    const { command, workspace } = await makeRefusedLine()
    // The last line of the file has no newline.
    await write(keys, `# mine\n${others}`)
    expect(await refusal(paste(command))).toBe(reason)
    expect(await host.exec('cat', keys)).toBe(`# mine\n${others}\n`)
    expect(await host.exec('ls', '-A', '/root/.ssh')).toBe('authorized_keys\n')
    expect(await host.exec('stat', '-c', '%a %U', keys)).toBe('600 root\n')
    await host.exec('rm', keys)
    expect(await refusal(paste(command))).toBe(reason)
    expect(await host.exec('cat', keys)).toBe('')
    expect(await serversOf(workspace)).toEqual([])
  })

  longTest('keeps a key that existed before', async () => {
    const { command, token } = await makeRefusedLine()
    const script = await slipway.call(`GET /v1/import/server/${token}`)
    const key = /^slipway_key='(.*)'$/m.exec(script.text)?.[1] ?? ''
    await write(keys, `${key}\n${others}\n`)
    expect(await refusal(paste(command))).toBe(reason)
    expect(await host.exec('cat', keys)).toBe(`${key}\n${others}\n`)
  })

  longTest('shows the messages with wget as well', async () => {
    const { command } = await makeRefusedLine()
    await onlyWget('/usr/bin/wget.away')
    await write(keys, `${others}\n`)
    expect(await refusal(paste(byWget(command)))).toBe(reason)
    expect(await host.exec('cat', keys)).toBe(`${others}\n`)
  })

  longTest('explains what to do with a wget that cannot show them', async () => {
    const { token } = await makeRefusedLine()
    await onlyWget('/usr/bin/busybox')
    await write(keys, `${others}\n`)
    const address = `${slipway.ctx.config.PUBLIC_URL}/v1/import/server/${token}`
    expect(await refusal(paste(`wget -qO- '${address}' | sh`))).toBe(
      'Slipway responded with HTTP/1.1 422 Unprocessable Entity, and the wget of this server does not show why. Create a new command in Slipway; if that does not help, install curl to see the reason.',
    )
    expect(await host.exec('cat', keys)).toBe(`${others}\n`)
  })

  test('adds no key when Slipway is unreachable', async () => {
    const { token } = await makeLine()
    const { text } = await slipway.call(`GET /v1/import/server/${token}`)
    const { PUBLIC_URL } = slipway.ctx.config
    await write(keys, `${others}\n`)
    const script = text.replace(PUBLIC_URL, `http://${host.machine}:1`)
    expect(await refusal(paste(script))).toMatch(/^Slipway could not be reached at http:/)
    expect(await host.exec('cat', keys)).toBe(`${others}\n`)
  })
})

longTest('uses the address that presents the host key, behind a proxy', async () => {
  const { token, workspace } = await makeLine()
  const body = {
    token,
    user: 'root',
    host_keys: [`${host.hostKey} root@web`],
    addresses: ['fe80::1', '203.0.113.999', host.machine, host.address],
  }
  await slipway.ok(contract.importServer, { body, address: '127.0.0.1' })
  expect(await serversOf(workspace)).toMatchObject([{ address: host.address, name: host.address }])
})

longTest('keeps the presented host key of those reported', async () => {
  const foreign = newKeyPair('another').publicKey.split(' ').slice(0, 2).join(' ')
  const { token, workspace } = await makeLine()
  const body = { token, user: 'root', host_keys: [foreign, host.hostKey], addresses: [] }
  await slipway.ok(contract.importServer, { body, address: host.address })
  expect(await serversOf(workspace)).toMatchObject([{ host_keys: [host.hostKey] }])
  // The same applies to a server that was unreachable at first.
  await host.authorize(host.keys.publicKey)
  const setting = await makeSetting(slipway, host, { host_keys: [foreign, host.hostKey], machine: null })
  await start(setting)
  const { setup, server } = await untilOver(setting)
  expect(setup).toMatchObject({ status: 'completed', error: null })
  expect(server).toMatchObject({ host_keys: [host.hostKey], http_port_used: 80, https_port_used: 443 })
  expect(server.machine).toBe(await host.exec('cat', '/var/lib/slipway/proxy/machine'))
})

describe('exits without changes', () => {
  test('on other systems than Linux', async () => {
    await host.exec(
      'sh',
      '-c',
      'mkdir -p /other && printf "#!/bin/sh\\necho FreeBSD\\n" > /other/uname && chmod 755 /other/uname',
    )
    const { command, workspace } = await makeLine()
    expect(await refusal(paste(command, 'env', 'PATH=/other:/usr/bin:/bin'))).toBe(
      'Slipway needs Linux, and this server runs FreeBSD.',
    )
    expect(await serversOf(workspace)).toEqual([])
  })

  test('for users other than root', async () => {
    await host.addUser('nora', { sudo: 'none' })
    const { command, workspace } = await makeLine()
    expect(await refusal(paste(command, 'setpriv', '--reuid=nora', '--clear-groups'))).toBe(
      'Run this as root: put "sudo" before "sh" in the command.',
    )
    expect(await serversOf(workspace)).toEqual([])
  })

  test('when root cannot log in, unless the sudo user can become root', async () => {
    await host.sshConfig('PermitRootLogin no')
    const { command, admin, workspace } = await makeLine()
    expect(await refusal(paste(command))).toMatch(/^The SSH server does not allow root to log in\. /)
    await host.addUser('sue', { sudo: 'nopasswd' })
    await paste(command, 'env', 'SUDO_USER=sue')
    const [server] = await serversOf(workspace)
    expect(server).toMatchObject({ username: 'sue' })
    if (!server) return
    const { setup } = await untilOver({ slipway, workspace, admin, server: server.id })
    expect(setup).toMatchObject({ status: 'completed', error: null })
    expect(await host.exec('stat', '-c', '%a %U', '/home/sue/.ssh', '/home/sue/.ssh/authorized_keys')).toBe(
      '700 sue\n600 sue\n',
    )
  })

  longTest('when sshd accepts no keys', async () => {
    await host.sshConfig('PubkeyAuthentication no')
    const { command } = await makeLine()
    expect(await refusal(paste(command))).toMatch(/^The SSH server does not accept keys\. /)
  })
})
