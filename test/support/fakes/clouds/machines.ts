import { provide } from '../../rig/provide.ts'
import type { RigServer } from '../../rig/server.ts'
import { reserveServer } from '../../rig/take.ts'
import type { Machine } from './state.ts'

/** Reserves a server of the rig that boots as at a cloud: with these keys, and with user data that it runs itself. */
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
      // Fails with the script, and with a machine that is removed while it runs; the output is in the log on the machine.
      await server.exec('sh', '-euc', runIt, 'sh', userData).catch(() => undefined)
    },
    exec: async (...words) => (await get()).exec(...words),
    remove() {
      // A machine can only be released once its boot has ended.
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

/** Runs a script as cloud-init does; other formats of user data are not supported here. */
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
