import type { ReactNode } from 'react'
import { CollapsibleRows, CollapsibleSection } from '../../../ui/card.tsx'
import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { TagsInput } from '../../../ui/form/tags-input.tsx'
import { BuildFields } from '../settings/build-fields.tsx'
import { HealthFields, PortField } from '../settings/health-fields.tsx'
import { ResourceFields } from '../settings/resource-fields.tsx'
import { RuntimeFields } from '../settings/runtime-fields.tsx'
import { TimingFields } from '../settings/timing-fields.tsx'
import { TriggerFields } from '../settings/trigger-fields.tsx'
import { changeDraft } from './new-draft-store.ts'
import { isComposeDraft, isRepositoryDraft, lostFields } from './new-draft.ts'
import { NewEnvironment } from './new-environment.tsx'
import { LinesField, type PartProps } from './new-fields.tsx'
import { summarizeSections } from './section-summaries.ts'

interface NewSectionsProps extends PartProps {
  serviceDomains: ReactNode
  /** Only admins can mount folders of the server. */
  binds: boolean
}

/** Sections with a good default are collapsed, so that the form starts short. */
export function NewSections({ serviceDomains, binds, ...part }: NewSectionsProps) {
  const { draft } = part
  const about = summarizeSections(draft)
  const lost = lostFields(draft)
  const typed = { typed: draft, errors: part.errors, onChoose: choose }
  const isCompose = isComposeDraft(draft)
  return (
    <CollapsibleRows>
      {isRepositoryDraft(draft) && (
        <CollapsibleSection title="Build" about={about.build}>
          <div className="flex flex-col gap-4">
            <TriggerFields {...typed} />
            <BuildFields {...typed} />
          </div>
        </CollapsibleSection>
      )}
      <CollapsibleSection title="Environment variables" about={about.env} opened={lost.includes('env')}>
        <NewEnvironment {...part} />
      </CollapsibleSection>
      <CollapsibleSection title="Domains" about={about.domains}>
        <div className="flex flex-col gap-4">
          <Checkbox
            name="generated_address"
            label="Generate a URL"
            checked={draft.generated_address}
            onChange={({ target }) => changeDraft({ generated_address: target.checked })}
            help="No DNS setup needed."
          />
          {isCompose ? (
            serviceDomains
          ) : (
            <LinesField
              {...part}
              name="domains"
              label="Custom domains"
              placeholder={'app.example.com\napp.example.com/api'}
              help="One per line. HTTPS is automatic. Prefix with http:// to disable it."
            />
          )}
        </div>
      </CollapsibleSection>
      {!isCompose && (
        <>
          <CollapsibleSection title="Ports" about={about.ports}>
            <div className="flex flex-col gap-4">
              <PortField {...typed} />
              <LinesField
                {...part}
                name="ports"
                label="Published ports"
                placeholder="5432:5432"
                help="One per line: server port:container port. Not needed for HTTP traffic."
              />
            </div>
          </CollapsibleSection>
          <CollapsibleSection title="Volumes" about={about.volumes}>
            <LinesField
              {...part}
              name="volumes"
              label="Volumes"
              placeholder="data:/var/lib/data"
              help={`One per line: name:/path${binds ? ' or /host/folder:/path' : ''}. Data persists across deployments.`}
            />
          </CollapsibleSection>
          <CollapsibleSection title="Health check" about={about.health}>
            <HealthFields {...typed} />
          </CollapsibleSection>
          <CollapsibleSection title="Resources" about={about.resources}>
            <ResourceFields {...typed} />
          </CollapsibleSection>
        </>
      )}
      <CollapsibleSection title="Advanced" about={about.advanced} opened={lost.includes('command')}>
        <div className="flex flex-col gap-4">
          {isCompose ? <TimingFields {...typed} /> : <ContainerFields {...part} />}
          <Checkbox
            name="auto_rollback"
            label="Automatic rollback"
            help="Rolls back a release that crashes within 5 minutes of going live."
            checked={draft.auto_rollback}
            onChange={({ target }) => changeDraft({ auto_rollback: target.checked })}
          />
        </div>
      </CollapsibleSection>
    </CollapsibleRows>
  )
}

const choose = (field: string, value: string) => changeDraft({ [field]: value })

const ContainerFields = ({ draft, errors }: PartProps) => (
  <>
    <Field label="Labels" optional error={errors['labels']} help="Comma-separated key=value pairs.">
      <TagsInput
        name="labels"
        value={draft.labels}
        onChange={(labels) => changeDraft({ labels })}
        placeholder="com.example.team=shop"
      />
    </Field>
    <RuntimeFields typed={draft} errors={errors} onChoose={choose} />
    <Checkbox
      name="stop_first"
      label="Stop old containers first"
      help="For databases and other software that cannot share a volume. Causes brief downtime on each deployment."
      checked={draft.stop_first}
      onChange={({ target }) => changeDraft({ stop_first: target.checked })}
    />
  </>
)
