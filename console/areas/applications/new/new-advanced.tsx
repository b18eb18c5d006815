import { Checkbox } from '../../../ui/form/checkbox.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { CollapsibleSection } from '../../../ui/collapsible-section.tsx'
import { TagsInput } from '../../../ui/form/tags-input.tsx'
import { AutoRollbackField } from './new-auto-rollback.tsx'
import { changeDraft } from './new-draft-store.ts'
import type { PartProps } from './new-fields.tsx'
import { ResourceFields } from '../settings/resource-fields.tsx'
import { RuntimeFields } from '../settings/runtime-fields.tsx'

export function NewAdvancedFields({ draft, errors }: PartProps) {
  return (
    <CollapsibleSection title="Advanced" about="Resource limits, replicas, labels, command, restart policy">
      <div className="flex max-w-2xl flex-col gap-4">
        <ResourceFields typed={draft} errors={errors} />
        <Field
          label="Labels"
          optional
          error={errors['labels']}
          help="key=value. Press Enter or comma to add."
        >
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
          help="For databases and other software that cannot share a volume. Causes a short downtime on each deployment."
          checked={draft.stop_first}
          onChange={({ target }) => changeDraft({ stop_first: target.checked })}
        />
        <AutoRollbackField draft={draft} />
      </div>
    </CollapsibleSection>
  )
}
