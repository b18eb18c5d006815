import { beforeEach, describe, expect, test } from 'vitest'
import { argumentsFor, takeProvidedHost } from '../../../../test/support/stages/setups.ts'
import { setUpScript } from './run-setup-script.ts'
import { longTest } from '../../../../test/support/run/campaign.ts'

/**
 * Simulates distributions that the rig lacks with programs in /fake that log their calls. They know the packages in
 * /fake/packages; installing one restores its content from /away.
 */
const host = await takeProvidedHost()
const sh = (text: string, ...args: string[]) => host.exec('sh', '-euc', text, 'sh', ...args)

const manager = `#!/bin/sh
for last; do :; done
case " $* " in
  *' list '*) exec grep -qx "$last" /fake/packages ;;
  *' search '*) exec grep -x "$last" /fake/packages ;;
esac
echo "\${0##*/} $*" >> /fake/calls
case " $* " in *' update '*) exit 0 ;; esac
for package; do
  case $package in
    -* | add | install | ca-certificates) continue ;;
  esac
  grep -qx "$package" /fake/packages || [ -e "/etc/yum.repos.d/$package.repo" ] || { cat /fake/refusal; exit 1; }
  case $package in
    moby-engine) mv /away/dockerd /usr/sbin/ ;;
    docker-cli) mv /away/docker /usr/bin/ ;;
    docker | docker-ce) mv /away/dockerd /usr/sbin/; mv /away/docker /usr/bin/ ;;
    git) mv /away/git /usr/bin/ ;;
  esac
done
`
/** Docker is started by the rig's own init. */
const services = `#!/bin/sh
echo "\${0##*/} $*" >> /fake/calls
case "\${0##*/} $*" in 'systemctl enable --now docker' | 'rc-service docker start') rm -f /run/rig/no-dockerd ;; esac
`

await sh(
  `mkdir -p /away /fake/bin /etc/yum.repos.d
  printf %s "$1" > /fake/manager; printf %s "$2" > /fake/services; chmod 755 /fake/manager /fake/services
  rm -f /usr/bin/apt-get
  umount /usr/local/lib/docker/cli-plugins`,
  manager,
  services,
)

beforeEach(async () => {
  await sh(`touch /run/rig/no-dockerd; pkill -x dockerd || true; while pgrep -x dockerd; do sleep 0.05; done
    rm -rf /fake/bin/* /run/systemd/system /etc/yum.repos.d/*; : > /fake/calls; : > /fake/packages
    for program in /usr/sbin/dockerd /usr/bin/docker /usr/bin/git; do [ ! -e "$program" ] || mv "$program" /away/; done`)
})

interface Family {
  programs: Record<string, 'manager' | 'services'>
  packages: string[]
  systemd?: true
  release?: string
  refusal?: string
}

/** Runs the setup on a simulated distribution, and returns its output and the logged calls. */
async function setUp({ programs, packages, systemd, release = 'ID=other', refusal = '' }: Family) {
  for (const [name, kind] of Object.entries(programs)) await sh('ln -s "/fake/$2" "/fake/bin/$1"', name, kind)
  await sh(
    'printf "%s\\n" "$1" > /fake/packages; printf "%s\\n" "$2" > /etc/os-release',
    packages.join('\n'),
    release,
  )
  await sh('printf "%s\\n" "$1" > /fake/refusal', refusal)
  if (systemd) await sh('mkdir -p /run/systemd/system')
  const said = await runScript()
  return { said, calls: (await sh('cat /fake/calls')).trim().split('\n') }
}

function runScript(): Promise<string> {
  const path = 'PATH=/fake/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  return sh('env "$@" || true', path, 'sh', '-c', setUpScript, 'set-up', ...argumentsFor(host, 8080, 8443))
}

const itsProxyRuns = /\nThe proxy listens on ports 8080 and 8443\n$/

describe('packages and services', () => {
  longTest('of Fedora, whose client is a package of its own', async () => {
    const { said, calls } = await setUp({
      programs: { dnf: 'manager', yum: 'manager', systemctl: 'services' },
      packages: ['moby-engine', 'docker-cli', 'docker-compose', 'git'],
      systemd: true,
      release: 'ID=fedora',
    })
    expect(calls).toEqual([
      'dnf -y install moby-engine',
      'dnf -y install docker-cli',
      'systemctl enable --now docker',
      'dnf -y install docker-compose',
      'dnf -y install git ca-certificates',
    ])
    expect(said).toMatch(itsProxyRuns)
  })

  longTest("of RHEL and its kin, which take Docker from Docker's own repository", async () => {
    const { said, calls } = await setUp({
      programs: { yum: 'manager', systemctl: 'services' },
      packages: ['docker-compose-plugin', 'git'],
      systemd: true,
      release: 'ID="rocky"\nID_LIKE="rhel centos fedora"',
    })
    expect(calls).toEqual([
      'yum -y install docker-ce',
      'systemctl enable --now docker',
      'yum -y install docker-compose-plugin',
      'yum -y install git ca-certificates',
    ])
    expect(await sh('cat /etc/yum.repos.d/docker-ce.repo')).toContain('gpgcheck=1\n')
    expect(said).toMatch(itsProxyRuns)
  })

  test('of Alpine, with OpenRC', async () => {
    const { said, calls } = await setUp({
      programs: { apk: 'manager', 'rc-service': 'services', 'rc-update': 'services' },
      packages: ['docker', 'docker-cli-compose', 'git'],
    })
    expect(calls).toEqual([
      'apk update',
      'apk add --no-progress docker',
      'rc-update add docker default',
      'rc-service docker start',
      'apk add --no-progress docker-cli-compose',
      'apk add --no-progress git ca-certificates',
    ])
    expect(said).toMatch(itsProxyRuns)
  })
})

describe('a failed installation is explained', () => {
  test.each([
    [
      'apk',
      'ERROR: unable to select packages:\n  docker (no such package):',
      '!! Docker could not be installed: the Alpine community repository is not enabled. Enable it in /etc/apk/repositories, then set up again.',
    ],
    [
      'dnf',
      'Error: Failed to download metadata for repo: Cannot download repomd.xml: All mirrors were tried',
      '!! Docker could not be installed: the server cannot reach its package mirrors. Check its network and DNS, then set up again.',
    ],
    [
      'yum',
      'Error: At least 300MB more space needed on the / filesystem.',
      '!! Docker could not be installed: the disk of the server is full. Free up space, then set up again.',
    ],
    [
      'dnf',
      'Error: Unable to find a match: moby-engine',
      '!! Docker could not be installed: Error: Unable to find a match: moby-engine.',
    ],
  ])('by %s that says %j', async (name, refusal, sentence) => {
    const { said } = await setUp({ programs: { [name]: 'manager' }, packages: [], refusal })
    expect(said.trim().split('\n').at(-1)).toBe(sentence)
  })

  test('without a supported package manager', async () => {
    const { said } = await setUp({ programs: {}, packages: [] })
    expect(said).toMatch(/\n!! No supported package manager found\. .*\n$/)
  })
})

describe('an unsupported server is reported with the reason', () => {
  test.each([
    ['-s', 'FreeBSD', 'This server runs FreeBSD. Slipway needs Linux.'],
    [
      '-r',
      '3.10.0-1160.el7.x86_64',
      'The kernel 3.10.0-1160.el7.x86_64 is too old for Docker. Upgrade the server to kernel 4 or newer, then set up again.',
    ],
    [
      '-m',
      'mips64',
      'Docker does not support this processor, mips64. Use a server with an x86-64 or ARM processor.',
    ],
  ])('by uname %s: %s', async (option, answer, sentence) => {
    const uname = `#!/bin/sh\n[ "$1" != '${option}' ] || { echo '${answer}'; exit; }\nexec /usr/bin/uname "$@"\n`
    await sh('printf %s "$1" > /fake/bin/uname; chmod 755 /fake/bin/uname', uname)
    const said = await runScript()
    expect(said.trim().split('\n').at(-1)).toBe(`!! ${sentence}`)
    expect(said).not.toContain('==> docker')
  })
})
