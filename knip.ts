import type { KnipConfig } from "knip";

const config: KnipConfig = {
  workspaces: {
    ".": {
      entry: [
        "bench/*.ts!",
        "bench/*/{worker,bridge,email,unsigned,not-noted}.ts!",
        "test/**/*.test.ts",
        "test/system/every-source.ts",
        "test/**/*worker*.ts",
        "test/faults/crash-*/*.ts",
        "test/platform/inside/{control,sockets}.ts",
        "test/faults/rollback/either.ts",
        "test/faults/torture/{rules,worker-process}.ts",
        "test/unit/rules/rules.types.ts",
        "examples/*.ts",
      ],
      project: ["bench/**/*.ts!", "test/**/*.ts", "examples/*.ts"],
      ignoreDependencies: ["@types/smtp-server", "axe-core"],
    },
    scripts: {
      entry: ["*.{ts,mjs}!"],
      project: ["**/*.{ts,mjs}!"],
    },
    src: {
      entry: [
        "{,email/,dashboard/worker/}index.ts!",
        "lib/client.ts!",
        "webhook.ts!",
        "{handlers,mappings}/*.ts!",
        "rules/*.ts!",
      ],
      project: ["**/*.{ts,tsx}!", "!dashboard/app/**"],
      ignoreDependencies: ["@iconify-json/fa7-brands", "@iconify-json/fa7-solid"],
    },
    "src/dashboard/app": {
      project: ["**/*.{ts,tsx}!"],
      // tokens.css has their addresses.
      ignoreDependencies: ["@fontsource-variable/geist", "@fontsource-variable/geist-mono"],
    },
  },
  rules: {
    unlisted: "off",
    binaries: "off",
    unresolved: "off",
  },
  // A test may import what its own file uses. Nothing is exported for tests alone.
  ignoreExportsUsedInFile: process.argv.includes("--production"),
};

export default config;
