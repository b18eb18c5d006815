import { z } from 'zod'
import { composeText, profiles } from '../compose.ts'
import { text } from './ids.ts'
import { imageName } from '../images.ts'
import { repositoryFields } from './repository-fields.ts'

const image = z.strictObject({ type: z.literal('docker_image'), image: imageName })
const github = z.strictObject({ type: z.literal('github'), ...repositoryFields })
const compose = z.strictObject({
  type: text(50, 1).regex(/^(?!github$|docker_image$)[a-z][a-z0-9_-]*$/, {
    error: 'Must be github, docker_image or compose.',
  }),
  compose: composeText,
  profiles: profiles.default([]),
})

/** Any type other than `docker_image` and `github` is a compose file. */
export const source = z.union([image, github, compose], {
  error: ({ input }) =>
    input === undefined
      ? 'Is required.'
      : 'Must be an image of type docker_image, a repository of type github, or a compose file of type compose.',
})
