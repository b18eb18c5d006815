import { FileMissing } from '../../remote/errors.ts'
import type { Host } from '../../remote/host.ts'
import { inFolder, portsIn } from '../../remote/proxy/config.ts'
import { configName } from '../../remote/proxy/plan.ts'
import type { Routing } from '../../remote/proxy/routing.ts'
import { takenPorts } from '../applications/taken-ports.ts'

/** The same without ports that another program has on the machine. Where the web cannot move, it stays where it is. */
export async function withoutTaken(host: Host, routing: Routing) {
  const now = await portsNow(host)
  const web = [...routing.httpPorts, ...routing.httpsPorts].map((source) => ({ host: '', source }))
  const wanted = [...web, ...routing.applications.flatMap(({ ports }) => ports)]
  const taken = await takenPorts(host, wanted, { ours: now.all })
  const isFree = (port: number) => !taken.has(port)
  const orStay = (ports: readonly number[], before: readonly number[]) =>
    ports.every(isFree) ? ports : [...new Set([...ports.filter(isFree), ...before])]
  const free: Routing = {
    ...routing,
    httpPorts: orStay(routing.httpPorts, now.http),
    httpsPorts: orStay(routing.httpsPorts, now.https),
    applications: routing.applications.map((application) => ({
      ...application,
      ports: application.ports.filter(({ source }) => isFree(source)),
    })),
  }
  return { free, taken }
}

/** Where the proxy listens, by the file that it was started with. */
async function portsNow(host: Host) {
  const text = await host.files.read(inFolder(configName)).catch((error: unknown) => {
    if (error instanceof FileMissing) return ''
    throw error
  })
  return portsIn(text.toString())
}
