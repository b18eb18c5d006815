import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import { Select } from '../../../ui/form/select.tsx'
import { TagsInput } from '../../../ui/form/tags-input.tsx'
import { HiddenFields, type RepositoryPartProps } from './build-fields.tsx'
import { entryError } from '../entries/entry-errors.ts'
import { splitCommaList } from './repository-fields.ts'

const moments = [
  { value: 'push', label: 'Push to branch' },
  { value: 'tag', label: 'Tag' },
  { value: 'nothing', label: 'Manual only' },
]

export function TriggerFields({ typed, errors, onChoose }: RepositoryPartProps) {
  const when = typed['source.deploy_on']
  return (
    <div className="flex flex-col gap-4">
      <Field
        label="Deploy on"
        help="Slipway ignores commits with [skip deploy] in the message."
        error={errors['source.deploy_on']}
      >
        <Select
          name="source.deploy_on"
          options={moments}
          value={when}
          onValueChange={(value) => onChoose('source.deploy_on', value)}
        />
      </Field>
      {when === 'tag' && (
        <Field
          label="Tags"
          optional
          help="Tag pattern, such as v*. Defaults to all tags."
          error={errors['source.tags']}
        >
          <Input name="source.tags" mono defaultValue={typed['source.tags']} placeholder="v*" />
        </Field>
      )}
      {when !== 'nothing' && (
        <Field
          label="Watched paths"
          optional
          help="Deploys only if a push changes files in these paths. Defaults to all paths."
          error={entryError(errors, 'source.watch_paths', splitCommaList(typed['source.watch_paths']))}
        >
          <TagsInput
            value={splitCommaList(typed['source.watch_paths'])}
            onChange={(paths) => onChoose('source.watch_paths', paths.join(','))}
            placeholder="api/**"
          />
        </Field>
      )}
      <HiddenFields
        names={when === 'tag' ? ['source.watch_paths'] : ['source.watch_paths', 'source.tags']}
        typed={typed}
      />
    </div>
  )
}
