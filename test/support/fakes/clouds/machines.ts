import { provide } from '../../rig/provide.ts'
import type { RigServer } from '../../rig/server.ts'
import { reserveServer } from '../../rig/take.ts'
import type { Machine } from './account.ts'

/** A server of the rig, as a cloud hands them out: with keys of one's own, and user data that it runs by itself. */
export async function reserveMachine(): Promise<Machine> {
  const place = await reserveServer()
  let booting: Promise<RigServer> | undefined
  let removing: Promise<void> | undefined

  async function boot(name: string, publicKeys: string[]): Promise<RigServer> {
    const server = await place.boot()
    await provide(server)
    await server.exec('sh', '-euc', nameIt, 'sh', name)
    for (const key of publicKeys) await server.authorize(key)
    return server
  }

  async function get(): Promise<RigServer> {
    if (!booting) throw new Error(`The machine at ${place.address} was never booted.`)
    return booting
  }

  return {
    address: place.address,
    async boot(name, publicKeys) {
      booting = boot(name, publicKeys)
      await booting
    },
    async runUserData(userData) {
      const server = await get()
      // It fails where the script does, and where the machine goes while it runs; what it said stands in its log.
      await server.exec('sh', '-euc', runIt, 'sh', userData).catch(() => undefined)
    },
    exec: async (...words) => (await get()).exec(...words),
    powerOff: async () => (await get()).powerOff(),
    powerOn: async () => (await get()).powerOn(),
    remove() {
      // What is half made cannot be taken away.
      removing ??= Promise.resolve(booting?.catch(() => undefined)).then(() => place.release())
      return removing
    },
  }
}

const nameIt = `
hostname "$1"
echo "$1" > /etc/hostname
echo "127.0.1.1 $1" >> /etc/hosts
`

/** What cloud-init does: a script is run, anything else is none that is known here. */
const runIt = `
log=/var/log/cloud-init-output.log
case $1 in
  '#!'*) ;;
  *) echo "Unhandled non-multipart (text/x-not-multipart) userdata" > "$log" && exit 0 ;;
esac
script=/var/lib/cloud/instance/scripts/part-001
mkdir -p "\${script%/*}"
printf %s "$1" > "$script"
chmod 700 "$script"
cd /
"$script" > "$log" 2>&1 < /dev/null
`
