/** Runs tasks one after another, in the order in which they were handed in; a failure stops only its own task. */
export function exclusively(): <Result>(task: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => {
    const result = last.then(task)
    last = result.catch(() => undefined)
    return result
  }
}
