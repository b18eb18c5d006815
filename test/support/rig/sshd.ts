import { connect } from 'node:net'
import type { Inside } from './inside.ts'
import { until } from './until.ts'

export interface Sshd {
  authorize(publicKey: string, user?: string): Promise<void>
  /** Adds a user with or without passwordless sudo. */
  addUser(name: string, rights: { sudo: 'nopasswd' | 'none' }): Promise<void>
  /** Accepts connections but never responds. */
  hangSshd(): Promise<void>
  restoreSshd(): Promise<void>
  /** Simulates a reinstallation: changes the host key and closes connections. */
  newHostKey(): Promise<string>
  /** Overrides an sshd setting and closes connections. */
  sshConfig(line: string): Promise<void>
}

export function sshdOf({ sh, exec, address }: Inside): Sshd {
  async function restart() {
    // init restarts sshd. Wait until the old one is gone, because it may still respond.
    await sh('old=$(pgrep -o -x sshd); pkill -x sshd; while kill -0 "$old" 2> /dev/null; do sleep 0.02; done')
    await untilSshAnswers(address)
  }
  return {
    async authorize(publicKey, user = 'root') {
      await sh(
        `home=$(getent passwd "$2" | cut -d: -f6)
        mkdir -p "$home/.ssh"
        printf '%s\\n' "$1" >> "$home/.ssh/authorized_keys"
        chmod 700 "$home/.ssh"
        chmod 600 "$home/.ssh/authorized_keys"
        chown -R "$2:" "$home/.ssh"`,
        publicKey.trim(),
        user,
      )
    },
    async addUser(name, { sudo }) {
      // sshd treats an account without a password as locked; '*' matches none.
      await exec('useradd', '--create-home', '--shell', '/bin/bash', '--password', '*', name)
      if (sudo === 'nopasswd')
        await sh(`printf '%s ALL=(ALL) NOPASSWD: ALL\\n' "$1" > "/etc/sudoers.d/$1"`, name)
    },
    async hangSshd() {
      await exec('pkill', '-STOP', '-x', 'sshd')
    },
    async restoreSshd() {
      await exec('pkill', '-CONT', '-x', 'sshd')
      await untilSshAnswers(address)
    },
    async newHostKey() {
      const key = '/etc/ssh/ssh_host_ed25519_key'
      await sh(`rm "$1" "$1.pub"; ssh-keygen -q -t ed25519 -N '' -f "$1"`, key)
      await restart()
      return hostKeyIn(await exec('cat', `${key}.pub`))
    },
    async sshConfig(line) {
      await sh(
        `printf '%s\\n' "$1" | cat - "$2" > /tmp/sshd; cp /tmp/sshd "$2"`,
        line,
        '/etc/ssh/sshd_config',
      )
      await restart()
    },
  }
}

/** Type and key without the comment. */
export const hostKeyIn = (line: string) => line.trim().split(' ').slice(0, 2).join(' ')

export const untilSshAnswers = (address: string) =>
  until(`sshd of ${address} did not answer`, () => speaks(address))

function speaks(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port: 22, timeout: 2000 })
    const answer = (spoke: boolean) => {
      socket.destroy()
      resolve(spoke)
    }
    socket.once('data', (data) => answer(data.toString().startsWith('SSH-2.0')))
    for (const end of ['error', 'timeout', 'close']) socket.once(end, () => answer(false))
  })
}
