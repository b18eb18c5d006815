import type { Channel, ChannelField, ChannelType } from './queries.ts'

type Values = Readonly<Record<string, string>>
type Known = Channel['settings']

/** As errors of the server name it. */
export const settingFieldName = ({ name }: Pick<ChannelField, 'name'>) => `settings.${name}`

/** Beside a secret that may be left out: it is to be forgotten. */
export const removeFieldName = ({ name }: Pick<ChannelField, 'name'>) => `forget.${name}`

/** A secret that is set is never told: its field is empty, and what is typed there replaces it. */
export const hasStoredSecret = ({ name, type }: ChannelField, known: Known | undefined) =>
  type === 'secret' && known?.[name] === null

/** What the fields of a type hold at first, of a new channel or of one that is known. */
export const initialValues = (
  { fields }: Pick<ChannelType, 'fields'>,
  known?: Known,
): Record<string, string> =>
  Object.fromEntries(
    fields.flatMap((field) => [
      [settingFieldName(field), known ? (known[field.name] ?? '') : field.default],
      ...(hasStoredSecret(field, known) && !field.required ? [[removeFieldName(field), '']] : []),
    ]),
  )

/** What is sent of them; a secret that nobody typed anew stays. */
export const readSettings = ({ fields }: Pick<ChannelType, 'fields'>, values: Values, known?: Known) =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = values[settingFieldName(field)] ?? ''
      const stays = value === '' && hasStoredSecret(field, known) && !values[removeFieldName(field)]
      return stays ? [] : [[field.name, value]]
    }),
  )

/** Which of them have to be filled in, for the form. */
export const fieldRules = ({ fields }: Pick<ChannelType, 'fields'>, known?: Known) =>
  Object.fromEntries(
    fields.flatMap((field): [string, 'required' | 'optional'][] => [
      [settingFieldName(field), field.required && !hasStoredSecret(field, known) ? 'required' : 'optional'],
      [removeFieldName(field), 'optional'],
    ]),
  )
