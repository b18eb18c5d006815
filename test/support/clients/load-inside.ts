import { onTestFinished } from 'vitest'
import { unique } from '../factories/factories.ts'
import type { RigServer } from '../rig/server.ts'

/** One client keeps its connection, the other reconnects. Results go to stderr, which is unbuffered. */
const script = `for how in keep-alive close; do
  curl --silent --rate 20/s --max-time 60 --output /dev/null --write-out '%{stderr}%{http_code} %{errormsg}\\n' \\
    --header "Host: $1" --header "Connection: $how" 'http://127.0.0.1/?[1-1000000]' > /dev/null 2> "$2.$how" &
  echo $!
done`

/** Clients on the server itself, which a network failure does not affect. A refused or broken response is a failure. */
export async function startLoadInside(host: Pick<RigServer, 'exec'>, address: string) {
  const file = `/run/${unique('load')}`
  const pids = (await host.exec('sh', '-c', script, 'sh', address, file)).trim().split('\n')
  const end = () => host.exec('kill', ...pids)
  // Unless the server was powered off.
  onTestFinished(() => end().then(undefined, () => {}))
  return {
    async stop() {
      await end()
      const answers = (await host.exec('sh', '-c', 'cat "$1".*', 'sh', file)).split('\n').filter(Boolean)
      return { count: answers.length, failures: answers.filter((line) => !line.startsWith('200 ')) }
    },
  }
}
