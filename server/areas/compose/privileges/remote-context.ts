const remote = /^((https?|git|ssh|docker-image):\/\/|git@|github\.com\/|service:|target:)/i

/** A repository, image or build stage, not a folder of the server. */
export const isRemoteContext = (context: string) => remote.test(context)
