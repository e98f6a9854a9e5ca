export async function main(a: string[]): Promise<void> {
  console.log(process.version, process.pid, a);
}
