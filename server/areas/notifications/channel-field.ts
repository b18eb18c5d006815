import type { ChannelField } from './channel-type.ts'

type FieldInput = Pick<ChannelField, 'name' | 'label' | 'help'> & Partial<ChannelField>

/** A field of the settings of a channel: a text that must be given, unless told. */
export const channelField = (given: FieldInput): ChannelField => ({
  type: 'text',
  required: true,
  placeholder: '',
  choices: [],
  default: '',
  ...given,
})
