import { useMatch } from 'react-router'
import { toast } from 'sonner'
import { AddressText } from '../../lib/address.tsx'
import { cloudTokensPath, paths } from '../../paths.ts'
import { Button, ButtonAnchor, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useUpdateServer } from './mutations.ts'
import { type Drift, isBlockingDrift } from './cloud-status.ts'
import type { CloudServer } from './creation/creation-steps.ts'
import { DeleteServerButton } from './delete-server.tsx'

type Kind = Drift['kind']

const appearance: Record<Kind, { tone: 'red' | 'yellow' | 'neutral'; text: string }> = {
  deleted: { tone: 'red', text: 'was deleted at' },
  stopped: { tone: 'red', text: 'is powered off at' },
  moved: { tone: 'yellow', text: 'has a new address at' },
  duplicated: { tone: 'yellow', text: 'has duplicates at' },
  resized: { tone: 'neutral', text: 'was resized at' },
  unseen: { tone: 'yellow', text: 'has an unknown status at' },
}

export function DriftNotices({ server, manages }: { server: CloudServer; manages: boolean }) {
  const overview = useMatch(`${paths.servers}/:id`) !== null
  return server.cloud.drift
    .filter(({ kind }) => overview || isBlockingDrift(kind))
    .map(({ kind, text }) => (
      <Notice
        key={kind}
        tone={appearance[kind].tone}
        title={`${server.name} ${appearance[kind].text} ${server.cloud.provider_name}`}
        action={manages && <Help kind={kind} server={server} />}
      >
        <AddressText revealable>{text}</AddressText>
      </Notice>
    ))
}

function Help({ kind, server }: { kind: Kind; server: CloudServer }) {
  const { cloud } = server
  if (kind === 'deleted') return <DeleteServerButton>Delete server</DeleteServerButton>
  if (kind === 'moved' && cloud.address !== null) return <UseAddress id={server.id} address={cloud.address} />
  if (kind === 'unseen') return <ButtonLink to={cloudTokensPath}>Cloud tokens</ButtonLink>
  if (kind === 'resized' || cloud.url === null || cloud.status === 'deleted') return null
  return (
    <ButtonAnchor outside href={cloud.url}>
      Open at {cloud.provider_name}
    </ButtonAnchor>
  )
}

function UseAddress({ id, address }: { id: string; address: string }) {
  const update = useUpdateServer(id)
  async function use() {
    const { server } = await update.mutateAsync({ address })
    // Saving removes the notice, so a toast names the next step.
    toast.success(server.host_key ? 'Address updated' : 'Address updated. Connect to the server next.')
  }
  return (
    <Button
      pending={update.isPending && 'Saving…'}
      // The mutation shows its error, so the rejection needs no handling.
      onClick={() => void use().catch(() => undefined)}
    >
      Use new address
    </Button>
  )
}
