import { afterAll, describe, expect, test } from 'vitest'
import * as commands from '../../../contract/commands.ts'
import * as contract from '../../../contract/containers.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import * as images from '../../../contract/images.ts'
import { updateWorkspace } from '../../../contract/workspaces.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { enterTerminal, terminalUrl } from '../../../test/support/clients/enter-terminal.ts'
import { makeCommand, makeServer, makeTeam, unique } from '../../../test/support/factories/factories.ts'
import { openSocket } from '../../../test/support/clients/sockets.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'

const host = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok, refused } = slipway
const url = await slipway.listen()

async function arrive() {
  const team = await makeTeam(db)
  const id = await makeServer(ctx, team.workspace, host)
  const application = await makeApplication(db, team.workspace, id)
  return { ...team, id, application }
}

const bearer = ({ token }: { token: string }) => ({ authorization: `Bearer ${token}` })
const run = (token: string, id: Id<'server'>, cid: string) => ({
  token,
  params: { id, cid },
  body: { command: 'echo in' },
})

describe('a member', () => {
  test('cannot run commands on the server or read their output', async () => {
    const { id, workspace, member, admin } = await arrive()
    const { token } = member
    await refused(commands.runCommand, { token, params: { id }, body: { command: 'id' } }, 403, 'forbidden')
    expect((await openSocket(terminalUrl(url, id), bearer(member))).refused?.status).toBe(403)
    const asRoot = await makeCommand(ctx, workspace, id, { command: 'cat /etc/shadow' })
    const inside = await makeCommand(ctx, workspace, id, { container_id: 'a', as_root: false })
    const named = { token, params: { id, command_id: asRoot } }
    for (const endpoint of [commands.getCommand, commands.cancelCommand])
      await refused(endpoint, named, 403, 'forbidden')
    const stream = await fetch(`${url}/v1/servers/${id}/commands/${asRoot}/output`, {
      headers: bearer(member),
    })
    expect(stream.status).toBe(403)
    const list = async (as: string) =>
      (await ok(commands.listCommands, { token: as, params: { id } })).commands.map((one) => one.id)
    expect(await list(token)).toEqual([inside])
    expect(await list(admin.token)).toEqual([inside, asRoot])
  })

  test('can enter containers of applications, unless the workspace restricts that to admins', async () => {
    const { id, application, member, admin } = await arrive()
    const { token } = member
    const cid = await runContainer(host, { application })
    const { output, command } = await ok(commands.runContainerCommand, run(token, id, cid))
    expect(output.output.stdout).toBe('in\n')
    const terminal = await enterTerminal(url, `${id}/containers/${cid}`, token)
    const change = (as: string, shell_access: string) => ({ token: as, body: { shell_access } })
    await refused(updateWorkspace, change(token, 'admins'), 403)
    const { workspace } = await ok(updateWorkspace, change(admin.token, 'admins'))
    expect(workspace.shell_access).toBe('admins')
    expect(await terminal.message('end')).toMatchObject({
      reason: 'Your role no longer gives you access.',
    })
    await refused(commands.runContainerCommand, run(token, id, cid), 403, 'forbidden')
    await refused(commands.getCommand, { token, params: { id, command_id: command.id } }, 403)
    const details = await ok(contract.getContainer, { token, params: { id, cid } })
    expect(details.container.enter_refusal).toContain('limits terminals')
    await ok(commands.runContainerCommand, run(admin.token, id, cid))
    await ok(updateWorkspace, change(admin.token, 'members'))
    await ok(commands.runContainerCommand, run(token, id, cid))
  })

  test('cannot control other containers or see their secrets', async () => {
    const { id, member, admin } = await arrive()
    const { token } = member
    const name = unique('others')
    const cid = await runContainer(host, {
      options: ['--name', name, '--label', 'key=s3cr3t-label', '--health-cmd', 'echo s3cr3t-health; false'],
      script: 'echo s3cr3t-command >/dev/null; sleep 100',
    })
    const at = { token, params: { id, cid } }
    await refused(commands.runContainerCommand, run(token, id, cid), 403, 'forbidden')
    expect(
      (await openSocket(terminalUrl(url, `${id}/containers/${cid}`), bearer(member))).refused?.status,
    ).toBe(403)
    for (const action of contract.containerActions)
      await refused(contract.actOnContainer, { ...at, body: { action, name: 'mine' } }, 403, 'forbidden')
    await refused(contract.removeContainer, { ...at, query: { force: 'true' } }, 403)
    await refused(contract.getContainerEnvironment, at, 403)
    const { container } = await ok(contract.getContainer, at)
    expect(JSON.stringify(container)).not.toContain('s3cr3t')
    expect(container).toMatchObject({
      controllable: false,
      masked: true,
      command: null,
      labels: { key: null },
    })
    const { containers } = await ok(contract.listContainers, { token, params: { id }, query: { q: name } })
    expect(containers).toMatchObject([{ controllable: false }])
    const whole = await ok(contract.getContainer, { ...at, token: admin.token })
    expect(JSON.stringify(whole.container)).toContain('s3cr3t-command')
    expect(whole.container).toMatchObject({ controllable: true, masked: false, enter_refusal: null })
  })

  test.each([
    ['mounts a folder of the server', ['--volume', '/srv:/srv']],
    ['has the Docker socket', ['--volume', '/var/run/docker.sock:/docker.sock']],
    ['is in the network of the server', ['--network', 'host']],
    ['sees the processes of the server', ['--pid', 'host']],
    ['shares memory with the server', ['--ipc', 'host']],
    ['has a capability that others have not', ['--cap-add', 'SYS_ADMIN']],
    ['has a device of the server', ['--device', '/dev/null:/dev/x']],
    ['has no profile that confines it', ['--security-opt', 'seccomp=unconfined']],
    ['sees all of /proc and /sys', ['--security-opt', 'systempaths=unconfined']],
  ])('cannot enter a container of an application that %s', async (_, options) => {
    const { id, application, member } = await arrive()
    const cid = await runContainer(host, { application, options })
    const got = await refused(commands.runContainerCommand, run(member.token, id, cid), 403, 'forbidden')
    expect(got.text).toContain('can give root access to')
  })

  test('cannot enter through a bind volume or a shared namespace', async () => {
    const { id, application, member, admin } = await arrive()
    const volume = unique('bound')
    const opts = ['type=none', 'o=bind', 'device=/srv'].flatMap((one) => ['--opt', one])
    await host.exec('docker', 'volume', 'create', ...opts, volume)
    const bound = await runContainer(host, { application, options: ['--volume', `${volume}:/x`] })
    const power = await runContainer(host, { application, options: ['--cap-add', 'SYS_ADMIN'] })
    const beside = await runContainer(host, { application, options: ['--pid', `container:${power}`] })
    for (const cid of [bound, beside]) {
      await refused(commands.runContainerCommand, run(member.token, id, cid), 403, 'forbidden')
      const { command } = await ok(commands.runContainerCommand, run(admin.token, id, cid))
      // A member cannot read the output of a command that an admin ran either.
      const named = { token: member.token, params: { id, command_id: command.id } }
      await refused(commands.getCommand, named, 403)
    }
  })

  test('cannot enter a privileged container, running or not', async () => {
    const { id, application, member } = await arrive()
    const label = ['--label', `slipway.application=${application}`]
    const made = await host.exec('docker', 'create', '--privileged', ...label, 'rig/busybox', 'true')
    await refused(commands.runContainerCommand, run(member.token, id, made.trim()), 403, 'forbidden')
  })

  test('cannot force-remove or prune images', async () => {
    const { id, member } = await arrive()
    const at = { token: member.token, params: { id, name: 'rig/busybox:latest' } }
    await refused(images.removeImage, { ...at, query: { force: 'true' } }, 403, 'forbidden')
    await refused(images.pruneImages, { ...at, body: { all: true } }, 403, 'forbidden')
  })
})
