/** Returns a valid API key, and creates missing team and sample templates. */
export const seedTeam = async (emailUrl: string, adminToken: string, currentKey: string): Promise<string> => {
  const post = async (path: string, body: unknown, expected: readonly number[]) => {
    const response = await fetch(emailUrl + path, {
      method: "POST",
      headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    const answer = (await response.json()) as { key?: string; message?: string };
    if (!expected.includes(response.status)) throw new Error(`The email service refused ${path}: ${answer.message}`);
    return answer;
  };
  if (currentKey) {
    const { status } = await fetch(`${emailUrl}/v1/api-key`, { headers: { Authorization: `Bearer ${currentKey}` } });
    if (status !== 401) {
      // 404: the key belongs to another team.
      await post("/admin/teams/demo/samples", {}, [200, 404]);
      return currentKey;
    }
  }
  // 409: the team exists, but its key is not known here.
  await post("/admin/teams", { id: "demo", name: "Demo", createProperties: true }, [201, 409]);
  await post("/admin/teams/demo/samples", {}, [200]);
  const { key } = await post("/admin/teams/demo/keys", { name: "bridge" }, [201]);
  if (!key) throw new Error("The email service answered without a key.");
  return key;
};
