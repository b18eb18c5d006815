import { integrationProblem, integrationUsageLabel, providerName } from './integration-labels.ts'
import { type Integration, useConnectIntegration, useDeleteIntegration } from './queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, ButtonAnchor } from '../../ui/button.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import { Day } from '../../ui/time.tsx'
import { useState } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { GitHubMark } from '../../ui/logo.tsx'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'

interface IntegrationCardProps {
  integration: Integration
  /** Disconnects the account; undefined if the role does not allow it. */
  onDisconnect?: (() => void) | undefined
}

export function IntegrationCard({ integration, onDisconnect }: IntegrationCardProps) {
  const { name, avatar, provider, status, created_at: at, manage_url: url } = integration
  const trouble = integrationProblem(integration)
  return (
    <li className="flex flex-col gap-4 rounded-lg border border-line bg-raised p-4">
      <div className="flex items-start gap-3">
        <AccountPicture name={name} url={avatar} />
        <div className="flex min-w-0 flex-1 flex-col gap-0.5">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="font-semibold wrap-anywhere">{name}</h2>
            {trouble && <Badge tone={trouble.tone}>{trouble.word}</Badge>}
          </div>
          <p className="flex flex-wrap items-center gap-x-1.5 text-sm text-muted">
            <GitHubMark className="size-3.5 shrink-0 text-ink" />
            <span>
              {providerName(provider)} · Added <Day at={at} />
            </span>
          </p>
          <p className="text-sm text-muted">{integrationUsageLabel(integration)}</p>
        </div>
        {onDisconnect && (
          <ActionsMenu name={name}>
            <MenuItem danger onSelect={onDisconnect}>
              Disconnect
            </MenuItem>
          </ActionsMenu>
        )}
      </div>
      {trouble && <p className="text-sm wrap-anywhere">{trouble.summary}</p>}
      <div className="mt-auto">
        {status === 'removed' && onDisconnect ? (
          <ConnectAgain />
        ) : (
          <ButtonAnchor href={url} wide outside>
            Manage
          </ButtonAnchor>
        )}
      </div>
    </li>
  )
}

function ConnectAgain() {
  const connect = useConnectIntegration()
  return (
    <Button
      wide
      pending={connect.isPending && 'Redirecting to GitHub…'}
      onClick={() => connect.mutate(false)}
    >
      Reconnect
    </Button>
  )
}

function AccountPicture({ name, url }: { name: string; url: string | null }) {
  const [failed, setFailed] = useState(false)
  if (url === null || failed) return <Avatar name={name} square />
  return (
    <img
      src={url}
      alt=""
      width={32}
      height={32}
      loading="lazy"
      className="size-8 shrink-0 rounded-md border border-line"
      onError={() => setFailed(true)}
    />
  )
}

export function DisconnectDialog({
  integration,
  onClose,
}: {
  integration: Integration
  onClose: () => void
}) {
  const { id, name, applications } = integration
  return (
    <ActionDialog
      title={`Disconnect ${name}?`}
      action="Disconnect"
      mutation={useDeleteIntegration()}
      input={id}
      pending="Disconnecting…"
      done={`${name} disconnected`}
      onClose={onClose}
    >
      {applications === 0
        ? 'No applications use its repositories.'
        : `${applications} ${applications === 1 ? 'application uses' : 'applications use'} its repositories. Live releases keep running, but builds and push to deploy stop until you reconnect the account.`}{' '}
      The GitHub App stays installed until you remove it on GitHub.
    </ActionDialog>
  )
}
