import type { Field } from './channel.ts'

type Given = Pick<Field, 'name' | 'label' | 'help'> & Partial<Field>

/** A field of the settings of a channel: a text that must be given, unless told. */
export const field = (given: Given): Field => ({
  type: 'text',
  required: true,
  placeholder: '',
  choices: [],
  default: '',
  ...given,
})
