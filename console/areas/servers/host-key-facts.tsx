import { CodeBlock } from '../../ui/code.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import type { Server } from './queries.ts'

type HostKey = NonNullable<Server['host_key']>

export const HostKeyFacts = ({ offered, confirmed }: { offered: HostKey; confirmed?: HostKey | null }) => (
  <div className="flex flex-col gap-4">
    <DefinitionList
      items={[
        { term: confirmed ? 'New fingerprint' : 'Fingerprint', value: <Fingerprint of={offered} /> },
        ...(confirmed ? [{ term: 'Confirmed fingerprint', value: <Fingerprint of={confirmed} /> }] : []),
        { term: 'Type', value: <span className="font-mono text-sm">{offered.type}</span> },
      ]}
    />
    <div className="flex flex-col gap-1.5">
      <p className="text-sm text-muted">
        To verify the fingerprint, run this command in the server’s console. It must print the same
        fingerprint.
      </p>
      <CodeBlock label="Copy the fingerprint command">{compareCommand(offered.type)}</CodeBlock>
    </div>
  </div>
)

export function Fingerprint({ of: { fingerprint } }: { of: HostKey }) {
  return <span className="font-mono text-xs leading-5">{fingerprint}</span>
}

/** sshd has one key file per key type. */
function compareCommand(type: string) {
  const kind = type.startsWith('ecdsa')
    ? 'ecdsa'
    : type.startsWith('ssh-rsa') || type.startsWith('rsa')
      ? 'rsa'
      : 'ed25519'
  return `ssh-keygen -lf /etc/ssh/ssh_host_${kind}_key.pub`
}
