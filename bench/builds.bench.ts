import { afterAll, beforeAll, test } from 'vitest'
import { listDeployments } from '../contract/deployments.ts'
import { startFakeGitHub } from '../test/support/fakes/github.ts'
import { resolve } from '../test/support/fakes/github/bare.ts'
import { pushPayload, sendOf } from '../test/support/fakes/github/webhooks.ts'
import { startLoad } from '../test/support/clients/load.ts'
import { loadApp } from '../test/support/rig/load-app.ts'
import { takeSetUpHost } from '../test/support/stages/setups.ts'
import { median, report } from './results.ts'
import { openShopsWith, type Shops, timeUntilServed, visitor } from './shops.ts'
import { addIntegration } from './slipway.ts'

const ROUNDS = 9
const repository = 'octocat/hello'

const host = await takeSetUpHost()
await loadApp(host)
const github = await startFakeGitHub(undefined, { host: host.machine })
let shops: Shops
beforeAll(async () => {
  shops = await openShopsWith(4968, github.appEnv, host)
})
afterAll(async () => {
  await shops.close()
  await github.close()
})

const files = (version: string) => ({
  Dockerfile: `FROM rig/app\nRUN sleep 0.2\nCOPY notes /notes\nENV VERSION="${version}"\n`,
  notes: version,
})

/** The same URL that Slipway uses, for the manual comparison. */
const withToken = () => {
  const [token = ''] =
    [...github.state.installationTokens].findLast(([, { permissions }]) => permissions.contents) ?? []
  return `${github.url.replace('://', `://x-access-token:${token}@`)}/${repository}.git`
}

/** The manual equivalent on the server: fetch, build, run and wait until healthy. */
const byHand = `cd /root/hello
git fetch --quiet --depth 1 "$1" main && git reset --quiet --hard FETCH_HEAD
docker build --quiet --tag hello . > /dev/null
docker run --detach --name by-hand --restart always --network by-hand --ip 10.78.0.9 hello > /dev/null
until curl --silent --fail --output /dev/null http://10.78.0.9:3000/healthz; do sleep 0.01; done`

test('switches traffic to the new version after a push', async () => {
  github.addAccount('octocat')
  const hello = await github.addRepository(repository, files('first'))
  const installation = github.installApp('octocat', 'all')
  const integration_id = await addIntegration(shops.dataDir, installation)
  github.app.hookUrl = `${shops.url}/v1/events/github`
  const shop = await shops.makeShop(0, {
    source: { type: 'github', integration_id, repository, branch: 'main' },
  })
  await shops.untilDone((await shops.deploy(shop.id)).id)
  await host.exec('docker', 'network', 'create', '--subnet', '10.78.0.0/24', 'by-hand')
  await host.exec('git', 'init', '--quiet', '/root/hello')
  const at = { address: host.address, host: shop.address }
  const [ours, hand]: [number[], number[]] = [[], []]
  for (let round = 0; round <= ROUNDS; round++) {
    const version = `v${round}`
    const before = await resolve(hello.path, 'main')
    const after = await github.commit(repository, { files: files(version) })
    const moved = { ref: 'refs/heads/main', before, after, pusher: hello.owner }
    const payload = await pushPayload(github.state, hello, moved)
    const took = await timeUntilServed(at, version, () =>
      sendOf(github.state, hello, 'push', payload, hello.owner),
    )
    const { deployments } = await shops.ok(listDeployments, { query: '?limit=1' })
    const done = await shops.untilDone(deployments[0]?.id ?? '')
    await github.commit(repository, { files: files(`${version} by hand`) })
    const load = startLoad({ ...at, ...visitor })
    const began = performance.now()
    await host.exec('sh', '-euc', byHand, 'sh', withToken())
    const manual = performance.now() - began
    await load.stop()
    await host.exec('docker', 'rm', '--force', 'by-hand')
    const steps = done.steps.map(
      ({ name, started_at, finished_at }) =>
        `${name} ${Date.parse(finished_at ?? '') - Date.parse(started_at ?? '')}`,
    )
    process.stdout.write(`${took.toFixed(0)} ms (${steps.join(', ')}), by hand ${manual.toFixed(0)} ms\n`)
    // The first run is a warm-up.
    if (round === 0) continue
    ours.push(took)
    hand.push(manual)
  }
  const [mine, theirs] = [median(ours), median(hand)]
  report({
    what: `push received → new version taking traffic, warm cache, trivial change, against git fetch, docker build, docker run and a probe by hand on that server, medians of ${ROUNDS}`,
    bar: '≤ 1.25 ×',
    measured: `${(mine / theirs).toFixed(2)} × (${(mine / 1_000).toFixed(2)} s, by hand ${(theirs / 1_000).toFixed(2)} s)`,
    met: mine / theirs <= 1.25,
  })
}, 600_000)
