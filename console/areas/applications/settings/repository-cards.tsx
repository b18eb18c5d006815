import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ExternalTextLink } from '../../../ui/text-link.tsx'
import { BuildFields, type RepositoryPartProps } from './build-fields.tsx'
import { type ApplicationDetails, applicationQuery } from '../queries.ts'
import {
  buildFields,
  repositoryLocationFields,
  readRepository,
  triggerFields,
  type RepositoryDraft,
  toRepositoryDraft,
} from './repository-fields.ts'
import { SettingsCard } from './settings-card.tsx'
import { TriggerFields } from './trigger-fields.tsx'

interface RepositoryCardsProps {
  application: ApplicationDetails
  renderPlace: (part: RepositoryPartProps) => ReactNode
}

export function RepositoryCards({ application, renderPlace }: RepositoryCardsProps) {
  const { id, repository: settings, source } = application
  const client = useQueryClient()
  if (!settings) return null
  const all = toRepositoryDraft(settings)
  /** The API replaces the whole source, so start from the cached one, which includes what another card has just saved. */
  function read(values: Partial<RepositoryDraft>) {
    const current = client.getQueryData(applicationQuery(id).queryKey)?.repository ?? settings
    return { source: readRepository({ ...(current ? toRepositoryDraft(current) : all), ...values }) }
  }
  return (
    <>
      <SettingsCard
        applicationId={id}
        title="Source"
        description={
          source.repository && (
            <ExternalTextLink href={source.repository.url}>{source.repository.name}</ExternalTextLink>
          )
        }
        fields={repositoryLocationFields}
        saved={only(all, repositoryLocationFields)}
        read={read}
      >
        {({ typed, ...part }) => renderPlace({ ...part, typed: { ...all, ...typed } })}
      </SettingsCard>
      <SettingsCard
        applicationId={id}
        title="Build"
        description="How the image is built on the server."
        fields={buildFields}
        saved={only(all, buildFields)}
        read={read}
      >
        {({ typed, ...part }) => <BuildFields {...part} typed={{ ...all, ...typed }} />}
      </SettingsCard>
      <SettingsCard
        applicationId={id}
        title="Push to deploy"
        description="Applies on the next push."
        fields={triggerFields}
        saved={only(all, triggerFields)}
        read={read}
        atOnce
      >
        {({ typed, ...part }) => <TriggerFields {...part} typed={{ ...all, ...typed }} />}
      </SettingsCard>
    </>
  )
}

function only<K extends keyof RepositoryDraft>(all: RepositoryDraft, fields: Record<K, unknown>) {
  const entries = Object.entries(all).filter(([name]) => name in fields)
  // oxlint-disable-next-line no-unsafe-type-assertion -- the entries have the keys of the fields
  return Object.fromEntries(entries) as Record<K, string>
}
