import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Card, CollapsibleSection } from '../../../ui/card.tsx'
import { TagsInput } from '../../../ui/form/tags-input.tsx'
import { changeDraft } from './new-draft-store.ts'
import type { PartProps } from './new-fields.tsx'
import { ResourceFields } from '../settings/resource-fields.tsx'
import { RuntimeFields } from '../settings/runtime-fields.tsx'
import { TimingFields } from '../settings/timing-fields.tsx'

export const NewAdvancedFields = ({ draft, errors }: PartProps) => (
  <CollapsibleSection title="Advanced" about="Resource limits, replicas, labels, command, restart policy">
    <div className="flex max-w-2xl flex-col gap-4">
      <ResourceFields typed={draft} errors={errors} />
      <Field label="Labels" optional error={errors['labels']} help="Comma-separated key=value pairs.">
        <TagsInput
          name="labels"
          value={draft.labels}
          onChange={(labels) => changeDraft({ labels })}
          placeholder="com.example.team=shop"
        />
      </Field>
      <RuntimeFields
        typed={draft}
        errors={errors}
        onChoose={(field, value) => changeDraft({ [field]: value })}
      />
      <Checkbox
        name="stop_first"
        label="Stop old containers first"
        help="For databases and other software that cannot share a volume. Causes brief downtime on each deployment."
        checked={draft.stop_first}
        onChange={({ target }) => changeDraft({ stop_first: target.checked })}
      />
      <AutoRollbackField draft={draft} />
    </div>
  </CollapsibleSection>
)

export const AutoRollbackField = ({ draft }: Pick<PartProps, 'draft'>) => (
  <Checkbox
    name="auto_rollback"
    label="Automatic rollback"
    help="Rolls back a release that crashes within 5 minutes of going live."
    checked={draft.auto_rollback}
    onChange={({ target }) => changeDraft({ auto_rollback: target.checked })}
  />
)

export const NewTimingFields = ({ draft, errors }: PartProps) => (
  <Card
    title="Deployments"
    description="A service receives traffic once its health check passes or its ports accept connections."
  >
    <div className="flex flex-col gap-4">
      <TimingFields typed={draft} errors={errors} />
      <AutoRollbackField draft={draft} />
    </div>
  </Card>
)
