//! `mocl3 debug --dap` with a client of the Debug Adapter Protocol, as an editor is one: a breakpoint
//! in a kernel, the frames, the variables. The program that is debugged is `mocl3 doctor`.

mod library;

use library::write_icd;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_mocl3");

/// The first version of gdb with the protocol.
const FIRST_WITH_DAP: u32 = 14;

/// Longest wait for a message: gdb reads the symbols of LLVM's libraries.
const PATIENCE: Duration = Duration::from_secs(120);

/// The version of the gdb that is installed.
fn gdb_version() -> Option<u32> {
    let output = Command::new("gdb").arg("--version").output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let version = text.lines().next()?.split_whitespace().next_back()?;
    version.split('.').next()?.parse().ok()
}

/// An editor.
struct Client {
    adapter: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    requests: u64,
    _vendors: TempDir,
}

impl Client {
    fn start(arguments: &[&str]) -> Self {
        let vendors = tempfile::tempdir().unwrap();
        write_icd(vendors.path());
        let mut adapter = Command::new(PROGRAM)
            .args(arguments)
            .env("OCL_ICD_VENDORS", vendors.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let input = adapter.stdin.take().unwrap();
        let mut output = BufReader::new(adapter.stdout.take().unwrap());
        let (send, messages) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            adapter,
            input,
            messages,
            requests: 0,
            _vendors: vendors,
        }
    }

    /// Sends a request; its number.
    fn send(&mut self, command: &str, arguments: &Value) -> u64 {
        self.requests += 1;
        let request = json!({
            "seq": self.requests, "type": "request", "command": command, "arguments": arguments,
        });
        let text = request.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
        self.input.flush().unwrap();
        self.requests
    }

    /// The next message that is wanted; others are left out.
    fn wait(&self, is_wanted: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.messages.recv_timeout(PATIENCE).expect("a message");
            if is_wanted(&message) {
                return message;
            }
        }
    }

    fn event(&self, name: &str) -> Value {
        self.wait(|message| message["event"] == name)["body"].clone()
    }

    /// What a request is answered with.
    fn ask(&mut self, command: &str, arguments: &Value) -> Value {
        let number = self.send(command, arguments);
        let response = self.wait(|message| message["request_seq"] == number);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // It has ended, unless the test has failed.
        let _ = self.adapter.kill();
        let _ = self.adapter.wait();
    }
}

/// The next message of the adapter.
fn read(output: &mut BufReader<ChildStdout>) -> Option<Value> {
    let mut bytes = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", length)) => bytes = length.parse().ok()?,
            Some(_) => {}
            None => break,
        }
    }
    let mut text = vec![0; bytes];
    output.read_exact(&mut text).ok()?;
    serde_json::from_slice(&text).ok()
}

#[test]
fn an_editor_stops_in_a_kernel_and_sees_its_variables() {
    match gdb_version() {
        Some(version) if version >= FIRST_WITH_DAP => {}
        version => {
            eprintln!("skipped: gdb {FIRST_WITH_DAP} or later is needed, not {version:?}");
            return;
        }
    }
    let mut client = Client::start(&["debug", "--gdb-arg=-nx", "--dap"]);
    client.ask(
        "initialize",
        &json!({"adapterID": "gdb", "pathFormat": "path"}),
    );
    let program = json!({"program": PROGRAM, "args": ["doctor", "--smoke-test"]});
    client.send("launch", &program);
    let breakpoints = json!({
        "source": {"path": "program.cl"},
        "breakpoints": [{"line": 3}],
    });
    client.send("setBreakpoints", &breakpoints);
    client.send("configurationDone", &json!({}));
    // The kernel does not exist before it is launched.
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "breakpoint");
    let thread = &stopped["threadId"];
    let trace = client.ask("stackTrace", &json!({"threadId": thread, "levels": 1}));
    let frame = &trace["stackFrames"][0];
    assert_eq!(
        (&frame["name"], &frame["line"]),
        (&json!("twice"), &json!(3))
    );
    let path = frame["source"]["path"].as_str().unwrap();
    let source = std::fs::read_to_string(path).unwrap();
    assert!(source.starts_with("kernel void twice("), "{source}");
    let scopes = client.ask("scopes", &json!({"frameId": frame["id"]}));
    let mut names = Vec::new();
    for scope in scopes["scopes"].as_array().unwrap() {
        if scope["name"] == "Registers" {
            continue;
        }
        let reference = json!({"variablesReference": scope["variablesReference"]});
        let variables = client.ask("variables", &reference);
        for variable in variables["variables"].as_array().unwrap() {
            names.push(variable["name"].as_str().unwrap().to_owned());
        }
    }
    assert!(names.iter().any(|name| name == "x"), "{names:?}");
    assert!(names.iter().any(|name| name == "mocl3"), "{names:?}");
    let dimensions = json!({"expression": "mocl3.work_dim", "frameId": frame["id"]});
    assert_eq!(client.ask("evaluate", &dimensions)["result"], "1");
    client.ask("disconnect", &json!({"terminateDebuggee": true}));
}
