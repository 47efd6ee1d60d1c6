/** Everything that an async iterable gives, in its order. */
export async function collect<Each>(iterable: AsyncIterable<Each>): Promise<Each[]> {
  const all: Each[] = []
  for await (const one of iterable) all.push(one)
  return all
}
